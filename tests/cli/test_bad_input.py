"""What a person got wrong is said in one line, before anything happens."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from rpa.core.states import Event
from rpa.journal.names import run_lock
from tests.support.backoffice import ShopAccess
from tests.support.projects import Teller
from tests.support.rpa_command import COLUMNS, ITEMS, Folder, Said

NOBODY = "http://127.0.0.1:9/s/shop-a"  # discard: nothing listens there
SHOPS = tuple(
    ShopAccess(name, NOBODY.replace("shop-a", name), "掌柜", "geheim-密码-0815", f"id-{name}")
    for name in ("shop-a", "shop-b")
)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """A project of two shops that nobody serves, and three items."""
    folder = Folder(tmp_path)
    folder.write_shops(SHOPS)
    folder.write_items()
    return folder


def untouched(folder: Folder) -> bool:
    """No run was begun and no journal was."""
    home = folder.root / ".rpa"
    return not any((home / name).exists() for name in ("runs", "journals", "evidence", "logs"))


def refused(folder: Folder, said: Said, *words: str) -> bool:
    """Exit 2, one line of error that holds these words, and nothing done."""
    assert said.code == 2, said.err
    assert said.out == ""
    assert "Traceback" not in said.err
    for word in words:
        assert word in said.err
    return untouched(folder)


def test_an_unknown_column_names_file_and_column(folder: Folder) -> None:
    folder.write_items([(*row, "红") for row in ITEMS], (*COLUMNS, "颜色"))
    said = folder.rpa("run", "copy_listing", "商品.csv")
    assert refused(folder, said, "商品.csv", "颜色")
    assert len(said.errors) == 1


def test_a_missing_file_is_named(folder: Folder) -> None:
    said = folder.rpa("run", "copy_listing", "不在.csv")
    assert refused(folder, said, "error: 不在.csv: no such file")


def test_an_empty_batch_is_no_batch(folder: Folder) -> None:
    folder.write_items([])
    assert refused(folder, folder.rpa("run", "copy_listing", "商品.csv"), "商品.csv: no items")


def test_two_equal_rows_name_both(folder: Folder) -> None:
    folder.write_items([*ITEMS, ITEMS[0]])
    said = folder.rpa("run", "copy_listing", "商品.csv")
    assert refused(folder, said, "商品.csv row 5", "equal to row 2", "unit-1")


def test_every_bad_row_is_named_at_once(folder: Folder) -> None:
    rows = [(*ITEMS[0][:3], "四十五", *ITEMS[0][4:]), ("", *ITEMS[1][1:])]
    folder.write_items(rows)
    assert refused(folder, folder.rpa("run", "copy_listing", "商品.csv"), "row 2", "row 3")


def test_a_shop_that_is_not_configured_names_those_that_are(folder: Folder) -> None:
    said = folder.rpa("run", "copy_listing", "商品.csv", "--shop", "shop-c")
    assert refused(folder, said, "rpa.toml: no shop 'shop-c'", "shop-a, shop-b")


def test_two_shops_with_one_identity_are_named(folder: Folder) -> None:
    folder.write_shops(SHOPS, {"shop-b": {"identity": "id-shop-a"}})
    said = folder.rpa("run", "copy_listing", "商品.csv")
    assert refused(folder, said, "rpa.toml", "shop-a, shop-b", "'id-shop-a'")


def test_no_configuration_names_the_remedy(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    assert refused(folder, folder.rpa("run", "copy_listing", "商品.csv"), "rpa init")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nonesuch", "商品.csv"), "no flow 'nonesuch'"),
        (("copy_listing", "商品.csv", "--only", "unit-9"), "no unit unit-9"),
        (("copy_listing", "商品.csv", "--decimal", ";"), "decimal separator"),
        (("copy_listing", "商品.csv", "--kill-at", "nowhere"), "POINT:NTH"),
        (("copy_listing", "商品.csv", "--limit", "0"), "--limit"),
        (("copy_listing",), "ITEMS"),
    ],
)
def test_a_wrong_argument_is_named(folder: Folder, arguments: tuple[str, ...], words: str) -> None:
    assert refused(folder, folder.rpa("run", *arguments), words)


def test_a_flow_for_another_store_is_refused(folder: Folder) -> None:
    folder.write_shops(SHOPS, {"shop-b": {"store": "oscar"}})
    said = folder.rpa("run", "copy_listing", "商品.csv")
    assert refused(folder, said, "CopyListing is for store backoffice; shop shop-b is oscar")


def test_resume_without_a_run_says_so(folder: Folder) -> None:
    assert refused(folder, folder.rpa("resume"), "nothing to resume")


def test_with_json_an_error_is_a_document(folder: Folder) -> None:
    said = folder.rpa("run", "copy_listing", "不在.csv", "--json")
    assert said.code == 2
    assert said.document == {"error": "不在.csv: no such file", "exit_code": 2}


def test_a_missing_secret_stops_its_shop_alone_and_names_the_variable(folder: Folder) -> None:
    del folder.environment["SHOP_PASSWORD_0"]
    said = folder.rpa("doctor", "--json")
    assert said.code == 1
    problems = [one for one in said.document["findings"] if one["state"] == "problem"]
    assert [(one["shop"], one["check"]) for one in problems] == [("shop-a", "secrets")]
    assert "set the environment variable SHOP_PASSWORD_0" in problems[0]["detail"]
    assert "geheim" not in said.out + said.err


def test_a_newer_journal_is_left_byte_for_byte(folder: Folder) -> None:
    teller = Teller(folder.project, "shop-a")
    teller.write("unit-1", Event.STARTED, attempt=1)
    teller.journal.close()
    path = folder.project.journal("shop-a")
    newer = path.read_bytes().replace(b'"v":1', b'"v":99')
    path.write_bytes(newer)
    assert b'"v":99' in newer
    said = folder.rpa("run", "copy_listing", "商品.csv", "--shop", "shop-a", "--json")
    assert said.code == said.document["shops"][0]["exit_code"] == 6
    assert len(said.errors) == 1
    assert "format version 99; this build reads up to 1" in said.errors[0]
    assert path.read_bytes() == newer


def test_a_damaged_journal_names_line_and_byte(folder: Folder) -> None:
    teller = Teller(folder.project, "shop-a")
    for sku in ("unit-1", "unit-2", "unit-3"):
        teller.land(sku)
    teller.journal.close()
    path = folder.project.journal("shop-a")
    lines = path.read_bytes().split(b"\n")
    lines[3] = lines[3].replace(b"unit-1", b"unit-7")
    path.write_bytes(damaged := b"\n".join(lines))
    said = folder.rpa("run", "copy_listing", "商品.csv", "--shop", "shop-a")
    assert said.code == 6
    assert "line 4 (byte" in said.errors[0]
    assert "rpa journal check" in said.errors[0]
    assert path.read_bytes() == damaged


HOLD = """
import sys
from pathlib import Path
from rpa.journal import RunLock
with RunLock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_shop_that_another_run_holds_is_left_alone(folder: Folder) -> None:
    path = folder.project.journal("shop-a")
    command = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdin is not None
        assert other.stdout.readline() == "held\n"
        said = folder.rpa("run", "copy_listing", "商品.csv", "--shop", "shop-a")
        other.stdin.close()
    assert said.code == 75
    assert f"process {other.pid} on " in said.errors[0]
    assert run_lock(path).exists()
    assert not path.exists()


def test_a_project_that_cannot_be_written_names_the_folder(folder: Folder) -> None:
    (folder.root / ".rpa").write_text("in the way", encoding="utf-8")
    said = folder.rpa("run", "copy_listing", "商品.csv")
    assert said.code == 6
    assert len(said.errors) == 1
    assert ".rpa" in said.errors[0]
    assert "Traceback" not in said.err
