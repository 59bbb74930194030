"""A progress bar: one line of a terminal, or an element of a notebook."""
import html
import sys
import time


def _notebook_display():
    """A handle that can be updated, if this is a notebook's kernel."""
    shell = sys.modules.get("IPython")
    running = shell.get_ipython() if shell else None
    if running is None or not hasattr(running, "kernel"):
        return None
    from IPython.display import HTML, display

    handle = display(HTML(""), display_id=True)
    return lambda text: handle.update(HTML(text))


class Progress:
    """Called with the share of the work that is done and the name of its phase; a context that cleans up."""

    def __init__(self, stream=None, width=40):
        self._stream = stream or sys.stderr
        self._width = width
        self._show = _notebook_display()
        self._phase, self._since = None, 0.0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._phase is None:
            return
        if self._show:
            self._show("")
        else:
            self._stream.write("\r\x1b[K" if self._stream.isatty() else "\n")
            self._stream.flush()

    def __call__(self, fraction, phase):
        if phase != self._phase:
            self._phase, self._since = phase, time.monotonic()
        words = f"{100 * fraction:3.0f}%  {self._left(fraction)}"
        if self._show:
            self._show(f'<progress value="{fraction:.3f}" max="1"></progress> {html.escape(phase)} {words}')
            return
        full = round(fraction * self._width)
        self._stream.write(f"\r{phase:24.24} [{'#' * full}{'.' * (self._width - full)}] {words:22}")
        self._stream.flush()

    def _left(self, fraction):
        elapsed = time.monotonic() - self._since
        if elapsed < 0.5 or fraction < 0.02:  # an estimate from less is noise
            return ""
        seconds = round(elapsed * (1 - fraction) / fraction)
        return f"{seconds // 60}:{seconds % 60:02d} left"


class Silence:
    """No bar: progress is not shown."""

    def __enter__(self):
        return None

    def __exit__(self, *_):
        pass


def progress_of(verbose):
    return Progress() if verbose else Silence()
