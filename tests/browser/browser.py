"""Chromium without a window, driven through its DevTools protocol over a pair of pipes: nothing but Python is needed."""
import base64
import json
import os
import select
import shlex
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
PATIENCE = 60  # seconds until an answer is given up: the machine may be busy


class CannotStart(Exception):
    """There is no Chromium here, or it does not run here."""


class Browser:
    """One running Chromium. Use as a context; pages are opened one after another."""

    def __init__(self, program=None):
        program = program or next(filter(None, map(shutil.which, NAMES)), None)
        if program is None:
            raise CannotStart("no Chromium here (Debian: chromium-headless-shell)")
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        # Pages are our own files, and containers rarely allow a sandbox inside theirs.
        options = ["--headless", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--no-first-run",
                   "--disable-dev-shm-usage", "--hide-scrollbars", f"--user-data-dir={self.profile.name}", "about:blank"]
        command = f"exec {shlex.join([program, *options])} 3<&{theirs_in} 4>&{theirs_out}"
        self.process = subprocess.Popen(["/bin/sh", "-c", command], pass_fds=[theirs_in, theirs_out],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self.to, self.back = ours_out, ours_in
        self.number, self.buffer, self.events = 0, b"", []
        try:
            target = self.call("Target.createTarget", url="about:blank")["targetId"]
            self.session = None
            self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        except (OSError, EOFError, TimeoutError) as error:
            self.close()
            raise CannotStart(f"{program} does not run here: {error or 'it ended at once'}") from error
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    session = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        for end in (self.to, self.back):
            os.close(end)
        self.process.kill()
        self.process.wait()
        self.profile.cleanup()

    def call(self, method, **parameters):
        """The result of a DevTools command; events that come meanwhile are kept."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + PATIENCE
        while True:
            answer = self._message(deadline)
            if answer.get("id") != self.number:
                self.events.append(answer)
            elif "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']['message']}")
            else:
                return answer["result"]

    def _message(self, deadline):
        while b"\0" not in self.buffer:
            if not select.select([self.back], [], [], max(0, deadline - time.monotonic()))[0]:
                raise TimeoutError(f"no answer in {PATIENCE} s")
            part = os.read(self.back, 1 << 20)
            if not part:
                raise EOFError
            self.buffer += part
        text, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(text)

    def open(self, address, width=1200, height=900, dark=False, phone=False, paper=False):
        """Loads a page and waits until it has drawn."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=2 if phone else 1,
                  mobile=phone)
        self.call("Emulation.setEmulatedMedia", media="print" if paper else "screen",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.call("Page.navigate", url="about:blank")
        self.events.clear()
        self.call("Page.navigate", url=address)
        self.wait_for("document.readyState === 'complete' && location.href !== 'about:blank'")
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def evaluate(self, expression):
        """The value of a script expression in the page (promises are awaited)."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"].get("exception", {}).get("description", "error in the page"))
        return result["result"].get("value")

    def wait_for(self, expression):
        deadline = time.monotonic() + PATIENCE
        while not self.evaluate(expression):
            if time.monotonic() > deadline:
                raise TimeoutError(f"never true: {expression}")
            time.sleep(0.01)

    def key(self, key):
        for kind in ("keyDown", "keyUp"):
            text = {"text": key} if kind == "keyDown" and len(key) == 1 else {}
            self.call("Input.dispatchKeyEvent", type=kind, key=key, **text)

    def drag(self, start, end):
        """Presses at one point of the window, moves, and lets go at another."""
        mouse = lambda kind, at, held: self.call("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], button="left",
                                                 buttons=held, clickCount=1)
        mouse("mouseMoved", start, 0)
        mouse("mousePressed", start, 1)
        for share in (0.3, 0.7, 1):
            mouse("mouseMoved", [a + share * (b - a) for a, b in zip(start, end)], 1)
        mouse("mouseReleased", end, 0)

    def move(self, at):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=at[0], y=at[1])

    def complaints(self):
        """What the console and the browser's log hold: errors, warnings, refusals of the content policy."""
        self.evaluate("1")  # events up to here have arrived
        found = []
        for event in self.events:
            parameters = event.get("params", {})
            if event.get("method") == "Runtime.exceptionThrown":
                found.append(parameters["exceptionDetails"].get("exception", {}).get("description", "exception"))
            if event.get("method") == "Runtime.consoleAPICalled":
                found.append(str([argument.get("value") for argument in parameters["args"]]))
            if event.get("method") == "Log.entryAdded":
                found.append(parameters["entry"]["text"])
        return found

    def requests(self):
        """Addresses that were asked for, the page's own left out."""
        self.evaluate("1")
        asked = [event["params"]["request"]["url"] for event in self.events
                 if event.get("method") == "Network.requestWillBeSent"]
        own = self.evaluate("location.href.split('#')[0]")
        return [address for address in asked if address.split("#")[0] not in (own, "about:blank")]

    def picture(self, path, whole=True):
        clip = {}
        if whole:
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            clip = {"captureBeyondViewport": True, "clip": {"x": 0, "y": 0, "width": size["width"],
                                                           "height": size["height"], "scale": 1}}
        data = self.call("Page.captureScreenshot", format="png", **clip)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def pdf(self, path):
        data = self.call("Page.printToPDF", printBackground=True, preferCSSPageSize=True)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
