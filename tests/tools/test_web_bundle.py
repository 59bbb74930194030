#!/usr/bin/env python3
"""Is web/dist, which every page carries, what web/src and the locked packages give?

Always: the checksums that the build wrote beside the bundle are those of the sources and of the bundle as they are now.
Where node and the packages are there (cd web && npm ci): the bundle is built again and compared byte by byte.
"""
import hashlib
import json
import pathlib
import shutil
import subprocess
import unittest

WEB = pathlib.Path(__file__).resolve().parent.parent.parent / "web"


class WebBundle(unittest.TestCase):
    def recorded(self):
        lines = (WEB / "dist/SHA256SUMS").read_text(encoding="utf-8").splitlines()
        return {name: digest for digest, name in (line.split("  ") for line in lines)}

    def test_nothing_has_changed_since_it_was_built(self):
        for name, digest in self.recorded().items():
            now = hashlib.sha256((WEB / name).read_bytes()).hexdigest()
            self.assertEqual(now, digest, f"web/{name} has changed; run: cd web && npm ci && npm run build")

    def test_every_source_is_recorded(self):
        sources = {f"src/{path.name}" for path in (WEB / "src").iterdir()}
        self.assertLessEqual(sources, set(self.recorded()), "run: cd web && npm ci && npm run build")

    def test_packages_are_locked_to_a_version_and_a_checksum(self):
        packages = json.loads((WEB / "package-lock.json").read_text(encoding="utf-8"))["packages"]
        for name, package in packages.items():
            self.assertTrue(name == "" or package["integrity"].startswith("sha512-"), name)
        for version in (packages[""]["dependencies"] | packages[""]["devDependencies"]).values():
            self.assertRegex(version, r"^\d+\.\d+\.\d+$")

    def test_the_license_of_the_chart_library_is_in_the_bundle(self):
        words = "The above copyright notice and this permission notice shall be included"
        for name in ("page.js", "LICENSES.txt"):
            self.assertIn(words, (WEB / "dist" / name).read_text(encoding="utf-8"))

    @unittest.skipUnless(shutil.which("node") and (WEB / "node_modules/esbuild").is_dir(), "needs node and: cd web && npm ci")
    def test_building_it_again_gives_the_same_bytes(self):
        result = subprocess.run(["node", "build.js", "--check"], cwd=WEB, capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)


if __name__ == "__main__":
    unittest.main()
