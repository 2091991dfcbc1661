"""A headless Chromium driven through its pipe: what a person would see and do, without any package for it."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

SECONDS = 60
# the browser looks for its pipes at 3 and 4, where either of them may be already
_MOVE_PIPES = """
import fcntl, os, sys
pipes = [fcntl.fcntl(int(number), fcntl.F_DUPFD, 100) for number in sys.argv[1:3]]
for place, pipe in zip((3, 4), pipes):
    os.dup2(pipe, place)
os.execvp(sys.argv[3], sys.argv[3:])
"""


def find_chromium() -> str | None:
    """The browser's command, None where there is none."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@contextmanager
def open_browser(folder: Path) -> Iterator[Browser]:
    """A browser with a profile of its own in a folder; it is gone afterwards."""
    browser = Browser(folder)
    try:
        yield browser
    finally:
        browser.close()


class Browser:
    """Commands go out and answers and events come back as JSON with NUL behind it (fds 3 and 4 of the browser)."""

    def __init__(self, folder: Path) -> None:
        asked, told = os.pipe(), os.pipe()
        command = [
            find_chromium() or "chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            "--no-first-run", "--disable-extensions", "--disable-background-networking", "--disable-dev-shm-usage",
            "--remote-debugging-pipe", f"--user-data-dir={folder / 'profile'}", "about:blank",
        ]  # fmt: skip
        self._process = subprocess.Popen(
            [sys.executable, "-c", _MOVE_PIPES, str(asked[0]), str(told[1]), *command],
            pass_fds=(asked[0], told[1]),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": str(folder)},
            start_new_session=True,
        )
        os.close(asked[0])
        os.close(told[1])
        self._writer, self._reader = asked[1], told[0]
        self._rest = b""
        self._count = 0

    def open_page(self) -> Page:
        """A new, empty page."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        return Page(self, session)

    def call(self, method: str, session: str = "", events: list[dict[str, Any]] | None = None, **given: object) -> Any:
        """The result of a command; what happens meanwhile is added to `events`."""
        self._count += 1
        number = self._count
        message = {"id": number, "method": method, "params": given} | ({"sessionId": session} if session else {})
        os.write(self._writer, json.dumps(message).encode() + b"\0")
        while True:
            told = self.read_message()
            if told.get("id") == number:
                if "error" in told:
                    raise AssertionError(f"{method}: {told['error']}")
                return told["result"]
            if events is not None and "method" in told:
                events.append(told)

    def read_message(self) -> dict[str, Any]:
        """The next message of the browser."""
        end = time.monotonic() + SECONDS
        while b"\0" not in self._rest:
            if not select.select([self._reader], [], [], max(0, end - time.monotonic()))[0]:
                raise AssertionError("the browser does not answer")
            chunk = os.read(self._reader, 1 << 20)
            if not chunk:
                raise AssertionError("the browser is gone")
            self._rest += chunk
        line, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        return message

    def close(self) -> None:
        """End the browser."""
        try:
            self.call("Browser.close")
        except (AssertionError, BrokenPipeError):
            self._process.kill()
        os.close(self._writer)
        os.close(self._reader)
        self._process.wait(timeout=SECONDS)


class Page:
    """One page of a browser, and everything that happened on it."""

    def __init__(self, browser: Browser, session: str) -> None:
        self._browser = browser
        self._session = session
        self._own: set[str] = set()
        self.events: list[dict[str, Any]] = []
        for domain in ("Page", "Runtime", "Network", "Log", "Performance"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **given: object) -> Any:
        """The result of a command to this page."""
        return self._browser.call(method, self._session, self.events, **given)

    def load(self, path: Path, width: int = 1280, height: int = 900) -> float:
        """Open a file and wait until it is loaded; seconds until its contents were there and painted."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Page.bringToFront")
        start = len(self.events)
        self._own.add(path.absolute().as_uri())
        self.call("Page.navigate", url=path.absolute().as_uri())
        while not any(event["method"] == "Page.loadEventFired" for event in self.events[start:]):
            told = self._browser.read_message()
            if "method" in told:
                self.events.append(told)
        told: list[float] = self.run(
            """(async () => {
            const painted = new Promise(done => new PerformanceObserver(list => {
                const [first] = list.getEntriesByName("first-contentful-paint");
                if (first) done(first.startTime);
            }).observe({ type: "paint", buffered: true }));
            const [page] = performance.getEntriesByType("navigation");
            return [page.domContentLoadedEventEnd, await painted];
            })()"""
        )
        return max(told) / 1000

    def run(self, expression: str) -> Any:
        """The value of an expression, waited for where it is a promise."""
        told = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in told, told["exceptionDetails"]
        return told["result"].get("value")

    def press(self, key: str, code: str = "", text: str = "") -> None:
        """Press a key and let it go."""
        numbers = {"Enter": 13, "Escape": 27, "Tab": 9, " ": 32, "ArrowDown": 40, "ArrowUp": 38}
        given = {"key": key, "code": code or key, "windowsVirtualKeyCode": numbers.get(key, ord(key[0].upper()))}
        shown = text or {"Enter": "\r", " ": " "}.get(key, key if len(key) == 1 else "")
        self.call("Input.dispatchKeyEvent", type="keyDown", text=shown, **given)
        self.call("Input.dispatchKeyEvent", type="keyUp", **given)

    def type_text(self, text: str) -> None:
        """Put a text where the focus is."""
        self.call("Input.insertText", text=text)

    def shoot(self, path: Path | None = None, is_whole: bool = False) -> bytes:
        """A PNG of what is seen, or of the whole page."""
        told = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=is_whole)
        content = base64.b64decode(told["data"])
        if path is not None:
            path.write_bytes(content)
        return content

    def print_pdf(self) -> bytes:
        """The page as it is printed."""
        told = self.call("Page.printToPDF", printBackground=True, preferCSSPageSize=True)
        return base64.b64decode(told["data"])

    @property
    def complaints(self) -> list[str]:
        """Errors and warnings of the console, and exceptions that nobody caught."""
        found = []
        for event in self.events:
            given = event["params"]
            if event["method"] == "Runtime.exceptionThrown":
                found.append(str(given["exceptionDetails"]))
            elif event["method"] == "Log.entryAdded" and given["entry"]["level"] in ("error", "warning"):
                found.append(given["entry"]["text"])
            elif event["method"] == "Runtime.consoleAPICalled" and given["type"] in ("error", "warning", "assert"):
                found.append(str(given["args"]))
        return found

    @property
    def requests(self) -> list[str]:
        """Everything that was fetched, the page itself and what stands inside it left out."""
        sent = [event["params"] for event in self.events if event["method"] == "Network.requestWillBeSent"]
        urls = [given["request"]["url"].partition("#")[0] for given in sent]
        return [url for url in urls if url not in self._own and not url.startswith(("data:", "about:"))]
