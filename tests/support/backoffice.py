"""Start the back office as a process of its own, and drive its control address."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fixtures.backoffice.ledger import Landed, Received, landed, received

_ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class ShopAccess:
    """How to reach one shop of a running server; ``url`` ends with a slash."""

    name: str
    url: str
    account: str
    password: str
    identity: str


class BackofficeServer:
    """One server process and its data directory, which outlives the process."""

    def __init__(self, data_dir: Path, shops: Sequence[str], port: int) -> None:
        self.data_dir = data_dir
        self._names = ",".join(shops)
        self._start(port)

    def _start(self, port: int) -> None:
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-m", "fixtures.backoffice"),
                *("--data", str(self.data_dir), "--shops", self._names, "--port", str(port)),
            ],
            cwd=_ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"the back office did not start: exit {self.process.wait()}")
        ready = json.loads(line)
        self.url: str = ready["url"]
        self.pid: int = ready["pid"]
        self.shops = {shop["name"]: ShopAccess(**shop) for shop in ready["shops"]}
        self.control_token: str = ready["control_token"]

    def fault(
        self,
        mode: str,
        on: str,
        *,
        shop: str | None = None,
        times: int | None = 1,
        after: int = 0,
        match: dict[str, str] | None = None,
        **args: Any,
    ) -> None:
        """Switch a fault on; ``times=None`` keeps it on."""
        spec = {"mode": mode, "on": on, "shop": shop, "times": times, "after": after}
        self.control("faults", {**spec, "match": match, **args})

    def setting(self, shop: str, name: str, value: str) -> None:
        """Change a setting of one shop: ``unique_sku`` or ``processing_seconds``."""
        self.control("settings", {"shop": shop, "name": name, "value": value})

    def release(self, shop: str | None = None) -> int:
        """Let the held requests go, or those of one shop; returns how many there were."""
        return int(self.control("release", {"shop": shop})["released"])

    def reset(self) -> None:
        """Forget the faults that wait and let held requests go."""
        self.control("reset", {})

    def state(self) -> dict[str, Any]:
        """Waiting requests, pending faults and counters."""
        return self.control("state")

    def wait_waiting(self, count: int = 1, timeout: float = 20.0) -> None:
        """Wait until the server holds this many requests.

        Raises:
            TimeoutError: They did not arrive within ``timeout`` seconds.
        """
        _wait(lambda: int(self.state()["waiting"]) >= count, timeout, f"{count} requests held")

    def wait_landed(self, key: str, count: int = 1, timeout: float = 20.0) -> None:
        """Wait until effects with this merchant code are on the ledger, ``count`` of them.

        Raises:
            TimeoutError: They did not land within ``timeout`` seconds.
        """

        def there() -> bool:
            return sum(line.key == key for line in self.ledger()) >= count

        _wait(there, timeout, f"{count} landings of {key}")

    def ledger(self, shop: str | None = None) -> list[Landed]:
        """What landed, of one shop or of all."""
        return [line for line in landed(self.data_dir) if shop in (None, line.shop)]

    def wire(self, shop: str | None = None) -> list[Received]:
        """The submit requests that arrived, of one shop or of all."""
        return [line for line in received(self.data_dir) if shop in (None, line.shop)]

    def control(self, name: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """Call the control address.

        Raises:
            ValueError: The server refused; the text says why.
        """
        request = urllib.request.Request(
            f"{self.url}/_control/{name}",
            data=None if body is None else json.dumps(body).encode(),
            headers={"X-Control-Token": self.control_token, "Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                result: dict[str, Any] = json.loads(answer.read())
        except urllib.error.HTTPError as error:
            with error:
                raise ValueError(json.loads(error.read())["error"]) from None
        return result

    def kill(self) -> None:
        """SIGKILL the server; nothing is flushed or closed."""
        self.process.kill()
        self._reap()

    def restart(self) -> None:
        """Start it again on the same port and the same data."""
        self._start(int(self.url.rsplit(":", 1)[1]))

    def stop(self) -> None:
        """End its standard input, which asks it to stop, and wait until it has."""
        if self.process.poll() is None:
            assert self.process.stdin is not None
            self.process.stdin.close()
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self._reap()

    def _reap(self) -> None:
        self.process.wait(15)
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()


def _wait(ready: Callable[[], bool], timeout: float, what: str) -> None:
    deadline = time.monotonic() + timeout
    while not ready():
        if time.monotonic() > deadline:
            raise TimeoutError(f"not within {timeout} s: {what}")
        time.sleep(0.02)


@contextmanager
def start_backoffice(
    data_dir: Path, shops: Sequence[str] = ("shop-a", "shop-b"), port: int = 0
) -> Iterator[BackofficeServer]:
    """Run a back office for the time of a ``with`` block."""
    server = BackofficeServer(data_dir, shops, port)
    try:
        yield server
    finally:
        server.stop()
