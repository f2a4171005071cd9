"""``rpa show``: finding the unit that is meant, and telling all of it."""

from __future__ import annotations

import pytest

from rpa.config import Project
from rpa.core.states import Event
from rpa.journal import compact, peek
from rpa.journal.names import segment_file
from tests.cli.conftest import OTHER, SHOP, Rpa, RpaJson
from tests.support.journals import at_noon
from tests.support.projects import PASSWORD, RUN, Teller


def key_of(project: Project, shop: str, label: str) -> str:
    """A unit's key, by what the journal knows of it."""
    units = peek(project.journal(shop)).units
    return next(key for key, unit in units.items() if unit.identity == {"sku": label})


def test_a_label_that_one_shop_has_is_enough(told: Project, rpa_json: RpaJson) -> None:
    document = rpa_json("show", "unit-3")
    assert (document["shop"], document["label"]) == (SHOP, "unit-3")


def test_a_label_that_two_shops_have_is_refused_with_both(told: Project, rpa: Rpa) -> None:
    result = rpa("show", "unit-1")
    assert result.exit_code == 2
    assert f"{SHOP}:unit-1, {OTHER}:unit-1" in result.stderr
    assert rpa("show", "unit-1", "--shop", OTHER).exit_code == 0
    assert rpa("show", f"{OTHER}:unit-1").exit_code == 0


def test_the_first_digits_of_a_key_are_enough(told: Project, rpa: Rpa, rpa_json: RpaJson) -> None:
    key = key_of(told, OTHER, "unit-1")
    for text in (key, key[:10], key[:10].upper()):
        assert rpa_json("show", text)["unit"] == key
    assert rpa("show", key[:3]).exit_code == 2  # too few to mean one


def test_two_units_with_one_label_are_told_apart_by_their_keys(
    told: Project, rpa: Rpa, rpa_json: RpaJson
) -> None:
    teller = Teller(told, OTHER)
    teller.land("A/B")
    teller.land_as({"kind": "A", "sku": "B"})
    teller.journal.close()
    result = rpa("show", "A/B")
    assert result.exit_code == 2
    keys = [
        unit["unit"] for unit in rpa_json("status", "--units")["units"] if unit["label"] == "A/B"
    ]
    assert len(keys) == 2
    assert all(key[:12] in result.stderr for key in keys)


def test_chinese_labels_are_found_however_they_were_typed(
    told: Project, rpa: Rpa, rpa_json: RpaJson
) -> None:
    teller = Teller(told, OTHER)
    teller.land("红色T恤/Größe L")
    teller.journal.close()
    for text in ("红色T恤/Größe L", "红色T恤/Gro\u0308ße L", f"{OTHER}:红色T恤/Größe L"):
        assert rpa_json("show", text)["label"] == "红色T恤/Größe L"
    shown = rpa("show", "红色T恤/Größe L").stdout
    assert "is submitted" in shown


def test_nobody_of_that_name(told: Project, rpa: Rpa) -> None:
    result = rpa("show", "unit-99")
    assert result.exit_code == 2
    assert "'unit-99'" in result.stderr
    assert "rpa status --units" in result.stderr


def test_the_story_is_told_in_order_and_in_words(told: Project, rpa_json: RpaJson) -> None:
    document = rpa_json("show", "unit-3")
    assert [row["words"] for row in document["story"]] == [
        "attempt 1 began",
        "step select began",
        "step select ended: the unit is selected",
        "step fill began",
        "step fill ended: the unit is filled",
        "step copy began",
        "about to click copy: request create may leave once",
        "request create was let go: POST http://127.0.0.1:9/copies",
        "in doubt: what became of the request was not seen",
        "verdict: inconclusive",
    ]
    assert document["story"][-2]["why"] == "NoAnswer: net::ERR_EMPTY_RESPONSE"
    assert document["story"][-1]["why"] == "the list says 14 records, 13 were read"
    assert {row["run"] for row in document["story"]} == {RUN}
    seqs = [row["seq"] for row in document["story"]]
    assert seqs == sorted(seqs)


def test_evidence_is_named_and_said_to_be_gone_when_it_is(told: Project, rpa: Rpa) -> None:
    key = key_of(told, SHOP, "unit-3")
    path = told.evidence(SHOP) / RUN / f"{key[:12]}-1-copy-before.jpg"
    assert path.is_file()
    shown = rpa("show", "unit-3").stdout
    assert str(path) in shown
    assert "no longer kept" not in shown
    path.unlink()
    assert f"{path} (no longer kept)" in rpa("show", "unit-3").stdout


def test_traces_are_named_too(told: Project, rpa: Rpa, rpa_json: RpaJson) -> None:
    assert rpa_json("show", "unit-3")["traces"] == []
    key = key_of(told, SHOP, "unit-3")
    trace = told.evidence(SHOP) / RUN / f"{key[:12]}-1.trace.zip"
    trace.touch()
    assert rpa_json("show", "unit-3")["traces"] == [str(trace)]
    assert f"trace: {trace}" in rpa("show", "unit-3").stdout
    rpa("report")
    page = (told.home / "runs" / RUN / "report.html").read_text(encoding="utf-8")
    assert f"/{RUN}/{key[:12]}-1.trace.zip" in page


def test_a_changed_unit_shows_old_and_new_side_by_side(
    told: Project, rpa: Rpa, rpa_json: RpaJson
) -> None:
    rows = {row["field"]: row for row in rpa_json("show", "unit-5")["differences"]}
    assert (rows["price"]["landed"], rows["price"]["now"]) == ("45.90", "49.90")
    assert rows["sku"]["same"]
    assert not rows["title"]["same"]
    shown = rpa("show", "unit-5").stdout
    line = next(line for line in shown.splitlines() if "price" in line)
    assert "≠" in line
    assert line.index("45.90") < line.index("49.90")
    assert "rpa accept" in shown
    assert "rpa confirm" not in shown


def test_a_difference_the_eye_cannot_see_is_put_into_words(told: Project, rpa: Rpa) -> None:
    teller = Teller(told, OTHER)
    teller.land("unit-2")
    arguments = {**teller.arguments("unit-2"), "remark": "首批\u200b上架"}
    teller.write("unit-2", Event.CHANGED, data={"arguments": arguments})
    teller.journal.close()
    assert "U+200B" in rpa("show", f"{OTHER}:unit-2").stdout


def test_a_word_of_a_person_is_told_with_name_and_note(
    told: Project, rpa: Rpa, rpa_json: RpaJson
) -> None:
    rpa("confirm", "unit-3", "--landed", "--by", "王芳", "--note", "复制记录里有")
    last = rpa_json("show", "unit-3")["story"][-1]
    assert (last["words"], last["why"], last["by"]) == (
        "王芳 confirmed: it landed",
        "复制记录里有",
        "王芳",
    )
    shown = rpa("show", "unit-3").stdout
    assert "outside any run" in shown
    assert "王芳 confirmed: it landed: 复制记录里有" in shown


def test_the_story_goes_back_before_a_compaction(
    told: Project, rpa: Rpa, rpa_json: RpaJson
) -> None:
    before = rpa_json("show", "unit-3")
    compact(told.journal(SHOP), clock=at_noon)
    assert rpa_json("show", "unit-3") == before
    segment_file(told.journal(SHOP), 1).unlink()
    assert rpa_json("show", "unit-3")["lost_generations"] == [1]
    assert "the story begins later" in rpa("show", "unit-3").stdout


@pytest.mark.parametrize(
    ("unit", "coming", "ways"),
    [
        ("unit-2", "it has landed", ["--edition"]),
        ("unit-3", "list is read", ["verify", "--landed", "--not-landed", "requeue", "skip"]),
        ("unit-4", "a person decides", ["requeue", "skip"]),
        ("unit-5", "a person decides", ["accept", "--edition"]),
        ("unit-6", "a person decides", ["--landed", "--not-landed", "skip"]),
        ("unit-7", "attempt 2 of 3", ["resume", "requeue", "skip"]),
        ("unit-9", "begun anew", ["resume", "skip"]),
        ("unit-10", "in doubt", ["verify"]),
        ("unit-11", "skipped", ["requeue"]),
        ("unit-12", "a person decides", ["--landed", "--not-landed", "skip"]),
    ],
)
def test_what_comes_next_and_what_can_be_done(
    told: Project, rpa_json: RpaJson, unit: str, coming: str, ways: list[str]
) -> None:
    document = rpa_json("show", f"{SHOP}:{unit}")
    assert coming in document["next"]
    commands = [choice["command"] for choice in document["choices"]]
    assert len(commands) == len(ways)
    assert all(way in command for way, command in zip(ways, commands, strict=True))


def test_names_with_blanks_can_be_pasted_into_a_shell(told: Project, rpa_json: RpaJson) -> None:
    teller = Teller(told, OTHER)
    teller.fail("红色 T恤 (L)", permanent=True)
    teller.journal.close()
    commands = [choice["command"] for choice in rpa_json("show", "红色 T恤 (L)")["choices"]]
    assert commands[-1].startswith(f"rpa skip '{OTHER}:红色 T恤 (L)' --by")


def test_a_damaged_journal_is_said_to_be(told: Project, rpa: Rpa) -> None:
    path = told.journal(OTHER)
    path.write_bytes(path.read_bytes().replace(b"started", b"startet", 1))
    result = rpa("show", f"{OTHER}:unit-1", "--shop", OTHER)
    assert result.exit_code == 6
    assert "line 2 (byte" in result.stderr


def test_secrets_are_masked_wherever_they_got_in(told: Project, rpa: Rpa) -> None:
    teller = Teller(told, OTHER)
    teller.write("unit-2", Event.STARTED, attempt=1)
    error = {"class": "LoginFailed", "message": f"the form still shows {PASSWORD}"}
    teller.write("unit-2", Event.FAILED, step="select", error=error)
    teller.journal.close()
    name = f"{OTHER}:unit-2"
    note = f"password is {PASSWORD}"
    for command in (
        ("status", "--units"),
        ("status", "--units", "--json"),
        ("show", name),
        ("show", name, "--json"),
        ("skip", name, "--by", "王芳", "--note", note),
        ("show", name, "--json"),
        ("requeue", name, "--by", "王芳", "--note", note, "--json"),
        ("journal", "export"),
        ("journal", "check", "--json"),
        ("report", "--json"),
    ):
        result = rpa(*command)
        assert result.exit_code == 0, result.stderr
        assert PASSWORD not in result.stdout + result.stderr, command
    kept = told.journal(OTHER).read_text(encoding="utf-8")
    assert kept.count(PASSWORD) == 1  # what the test itself put there
    page = told.home / "runs" / RUN / "report.html"
    assert PASSWORD not in page.read_text(encoding="utf-8")
