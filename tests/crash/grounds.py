"""Where crash cases play: shops that nobody else uses meanwhile, and what really landed there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from fixtures.oscar import ledger
from tests.support.backoffice import BackofficeServer
from tests.support.oscar import OscarFarm

__all__ = ["Ground", "Landed", "Lender", "backoffice_grounds", "oscar_grounds"]

Landed = tuple[str, str]
"""Key and title of one record."""


@dataclass(frozen=True)
class Ground:
    """One shop.

    Attributes:
        store: The kind of back office.
        name: The shop's name.
        url: Where it starts.
        identity: What its pages say it is.
        account: Who logs in.
        password: With what.
        records: Reads the key and title of every record from the store's own books.
        exams: Where certificates of its probes stay from case to case.
        server: The back office, to switch faults on; None at the real store, which has none.
    """

    store: str
    name: str
    url: str
    identity: str
    account: str
    password: str
    records: Callable[[], list[Landed]]
    exams: Path
    server: BackofficeServer | None = None


class Lender:
    """Lends shops, each to one case at a time.

    Args:
        grounds: The shops.
    """

    def __init__(self, grounds: list[Ground]) -> None:
        self._free: SimpleQueue[Ground] = SimpleQueue()
        for ground in grounds:
            self._free.put(ground)

    @contextmanager
    def lend(self) -> Iterator[Ground]:
        """Wait for a free shop and have it until the block ends."""
        ground = self._free.get()
        try:
            yield ground
        finally:
            self._free.put(ground)


def backoffice_grounds(server: BackofficeServer, exams: Path) -> list[Ground]:
    """Every shop of a back office."""

    def reader(shop: str) -> Callable[[], list[Landed]]:
        listed = ("copy", "product")
        return lambda: [(at.key, at.title) for at in server.ledger(shop) if at.effect in listed]

    return [
        Ground(
            "backoffice",
            shop.name,
            shop.url,
            shop.identity,
            shop.account,
            shop.password,
            reader(shop.name),
            exams / shop.name,
            server,
        )
        for shop in server.shops.values()
    ]


def oscar_grounds(farm: OscarFarm, exams: Path) -> list[Ground]:
    """Every shop of a farm. Only whole products count: with price, stock and picture."""

    def reader(database: Path) -> Callable[[], list[Landed]]:
        def read() -> list[Landed]:
            return [
                (product.upc or "", product.title if _whole(product) else f"half: {product}")
                for product in ledger.products(database)
            ]

        return read

    return [
        Ground(
            "oscar",
            shop.name,
            shop.url,
            shop.name,
            shop.account,
            shop.password,
            reader(ledger.shops(farm.data)[shop.name]),
            exams / shop.name,
        )
        for shop in farm.shops.values()
    ]


def _whole(product: ledger.Product) -> bool:
    seed = (product.upc or "").startswith("SEED-")
    return product.stock_records == 1 and (seed or product.images == 1)
