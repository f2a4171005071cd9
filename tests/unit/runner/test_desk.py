"""What a unit's attempt writes."""

from __future__ import annotations

from rpa.config import ShopConfig
from rpa.config.mask import Masker
from rpa.core.states import Event
from rpa.journal import MemoryJournal
from rpa.runner.desk import Desk
from rpa.runner.unit import Unit

SHOP = ShopConfig(
    name="shop-a",
    store="oscar",
    url="http://127.0.0.1:1",
    identity="甲店",
    username="seller",
    password="env:PASSWORD",
)


def test_a_secret_in_an_exception_does_not_reach_the_journal() -> None:
    journal = MemoryJournal(clock=lambda: 0.0)
    desk = Desk(
        SHOP,
        journal,
        Unit("k", {"sku": "商品-1"}),
        "List/1",
        "run",
        1,
        None,
        Masker(["geheim-0815"]),
        lambda: 0.0,
    )
    desk.write(Event.STARTED)
    error = {"class": "Error", "message": 'fill("geheim-0815") failed', "status": 503}
    written = desk.write(Event.FAILED, error=error)
    assert written.error == {"class": "Error", "message": 'fill("***") failed', "status": 503}
    view = desk.view
    assert view is not None
    assert view.error == written.error
