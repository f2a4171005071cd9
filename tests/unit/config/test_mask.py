"""Secrets do not get through, in whatever form."""

from __future__ import annotations

import zipfile
from pathlib import Path

from rpa.config.mask import Masker


def test_text_and_bytes() -> None:
    masker = Masker(["密码是长的", "abc"])
    assert masker.text("x 密码是长的 y") == "x *** y"
    assert masker.data("x 密码是长的 y".encode()) == b"x *** y"
    assert masker.text("abc") == "abc", "too short to be told from other text"


def test_the_form_inside_addresses() -> None:
    masker = Masker(["p@ss/word"])
    assert masker.text("http://user:p%40ss%2Fword@proxy:1") == "http://user:***@proxy:1"


def test_a_longer_secret_is_masked_before_the_shorter_inside_it() -> None:
    assert Masker(["secret", "secret-longer"]).text("secret-longer") == "***"


def test_archive(tmp_path: Path) -> None:
    path = tmp_path / "trace.zip"
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("trace.network", "Cookie: sid=0123456789")
        made.writestr("图.bin", b"\x00\xff0123456789\xff")
    Masker(["0123456789"]).archive(path)
    with zipfile.ZipFile(path) as read:
        assert read.read("trace.network") == b"Cookie: sid=***"
        assert read.read("图.bin") == b"\x00\xff***\xff"
