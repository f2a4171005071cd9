"""The sample files of the demo are items as they stand."""

from __future__ import annotations

import shutil
from pathlib import Path

from fixtures.pictures import write_picture
from rpa.inputs import Item, Money, PictureFile, read_items

DATA = Path(__file__).parents[3] / "fixtures" / "data"


class Listing(Item):
    identity_fields = ("sku",)

    sku: str
    title: str
    description: str
    price: Money
    stock: int
    category: str
    image: PictureFile


class Copy(Item):
    identity_fields = ("sku",)

    source_id: str
    title: str
    price: Money
    stock: int
    sku: str
    remark: str


def test_listing_items_with_pictures_made_beside_them(tmp_path: Path) -> None:
    path = Path(shutil.copy(DATA / "listing_items.csv", tmp_path))
    lines = path.read_text("utf-8").splitlines()
    pictures = [line.rpartition(",")[2] for line in lines if line.endswith(".png")]
    for picture in pictures:
        write_picture(tmp_path / picture, picture)
    batch = read_items(path, Listing)
    assert batch.rows_read == 5
    assert [row.item.arguments()["image"] for row in batch.items] == pictures
    assert all(row.item.image.stem == row.item.sku for row in batch.items)


def test_copy_items_are_unit_1_to_5() -> None:
    batch = read_items(DATA / "copy_items.csv", Copy)
    assert [row.item.sku for row in batch.items] == [f"unit-{n}" for n in range(1, 6)]
    assert len({row.item.source_id for row in batch.items}) == 5
