"""Picture columns: found beside the file, whole, of a kind that shops take."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from rpa.errors import InputError
from rpa.inputs import Item, PictureFile, read_items
from tests.unit.inputs.goods import written


class Pictured(Item):
    identity_fields = ("sku",)

    sku: str
    image: PictureFile


def picture(kind: str) -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (40, 40), "red").save(stream, kind)
    return stream.getvalue()


def message(folder: Path, name: str) -> str:
    path = written(folder, "items.csv", f"sku,image\n1,{name}\n")
    with pytest.raises(InputError) as caught:
        read_items(path, Pictured)
    text = str(caught.value)
    assert text.startswith("items.csv row 2, column image: ")
    assert "\n" not in text
    return text.removeprefix("items.csv row 2, column image: ")


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_picture_is_found_beside_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    folder = tmp_path / "商品"
    (folder / "图").mkdir(parents=True)
    (folder / "图" / "红 1.bin").write_bytes(picture(kind))
    written(folder, "items.csv", "sku,image\n1, 图/红 1.bin \n")
    monkeypatch.chdir(tmp_path)
    (row,) = read_items(Path("商品/items.csv"), Pictured).items
    assert row.item.image == folder / "图" / "红 1.bin"
    assert row.item.image.is_absolute()
    assert row.item.arguments()["image"] == "图/红 1.bin"


def test_jpeg_with_text_behind_its_end_is_whole(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(picture("JPEG") + b"camera notes")
    batch = read_items(written(tmp_path, "items.csv", "sku,image\n1,a.jpg\n"), Pictured)
    assert batch.rows_read == 1


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
@pytest.mark.parametrize("kept", [0.5, 0.98])
def test_half_a_picture_is_refused(tmp_path: Path, kind: str, kept: float) -> None:
    data = picture(kind)
    (tmp_path / "a.png").write_bytes(data[: int(len(data) * kept)])
    assert message(tmp_path, "a.png").startswith('picture "a.png" ends too early')


@pytest.mark.parametrize("data", [b"", b"GIF89a...", b"<html>404</html>", b"RIFF\0\0\0\0WAVE"])
def test_other_files_are_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.png").write_bytes(data)
    assert message(tmp_path, "a.png") == '"a.png" is not a PNG, JPEG or WebP picture'


def test_missing_picture_names_the_folder_searched(tmp_path: Path) -> None:
    assert message(tmp_path, "图/无.png") == f'no picture "图/无.png" in {tmp_path}'


def test_backslash_path_is_explained(tmp_path: Path) -> None:
    assert "write / between folders" in message(tmp_path, "图\\无.png")


def test_name_too_long_for_the_system_is_named(tmp_path: Path) -> None:
    assert "cannot be read: File name too long" in message(tmp_path, "长" * 200)


def test_folder_is_no_picture(tmp_path: Path) -> None:
    (tmp_path / "图").mkdir()
    assert message(tmp_path, "图").startswith('no picture "图"')


@pytest.mark.parametrize(
    ("value", "why"),
    [("5", "5 is not the path of a picture"), ('"a\\u0000.png"', "no picture")],
)
def test_value_that_is_no_path(tmp_path: Path, value: str, why: str) -> None:
    path = written(tmp_path, "items.jsonl", f'{{"sku": "1", "image": {value}}}\n')
    with pytest.raises(InputError, match=f"row 1, column image: {why}"):
        read_items(path, Pictured)
