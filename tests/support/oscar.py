"""The real django-oscar shops for tests: started by their launcher, as a person would."""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from fixtures.oscar import ledger

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / ".cache" / "oscar-template"


@dataclass(frozen=True)
class OscarShop:
    """One running shop, as the launcher's ready line describes it."""

    name: str
    url: str
    dashboard: str
    data: Path
    pid: int
    account: str
    password: str


@dataclass(frozen=True)
class OscarFarm:
    """Running shops and the folder that keeps what they hold."""

    data: Path
    shops: dict[str, OscarShop]

    def ledger(self) -> dict[str, list[ledger.Product]]:
        """Return what each shop's database holds now, by the shop's name."""
        return {name: ledger.products(path) for name, path in ledger.shops(self.data).items()}


def launcher_command(data: Path, shops: Sequence[str], *more: str) -> list[str]:
    """Return the launcher's command line, with the template cached across test runs."""
    command = [sys.executable, "-m", "fixtures.oscar", f"--data={data}", f"--cache={CACHE}"]
    return [*command, f"--shops={','.join(shops)}", *more]


@contextmanager
def start_oscar(
    data: Path, shops: Sequence[str], *, atomic: bool = True, port_base: int = 0
) -> Iterator[OscarFarm]:
    """Run shops until the block ends; started again on the same folder, they hold the same."""
    more = ["--atomic" if atomic else "--no-atomic", f"--port-base={port_base}"]
    with subprocess.Popen(
        launcher_command(data, shops, *more),
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as launcher:
        assert launcher.stdin
        assert launcher.stdout
        try:
            line = launcher.stdout.readline()
            if not line:
                raise RuntimeError(f"the oscar launcher ended with {launcher.wait()}, see stderr")
            told = json.loads(line)["shops"]
            running = [OscarShop(**(one | {"data": Path(one["data"])})) for one in told]
            yield OscarFarm(data, {shop.name: shop for shop in running})
        finally:
            launcher.stdin.close()
            launcher.wait()


@pytest.fixture(scope="session")
def oscar(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OscarFarm]:
    """Two shops for the whole session; tests put in UPCs of their own and never count rows."""
    with start_oscar(tmp_path_factory.mktemp("oscar"), ["shop-a", "shop-b"]) as farm:
        yield farm
