"""``rpa report``: one page, whole in itself, that says what is so and no more."""

from __future__ import annotations

import re
from html import escape, unescape
from pathlib import Path

import pytest

from rpa.cli import report_data, report_page
from rpa.cli.report import write_report
from rpa.config import Project
from rpa.core.states import Event
from rpa.journal import compact
from tests.cli.conftest import OTHER, SHOP, Rpa, RpaJson
from tests.support.chromium import plain_browser
from tests.support.journals import at_noon
from tests.support.projects import EVERYTHING, RUN, TITLES, Teller, save_run


def page_of(project: Project, run: str = RUN) -> str:
    """The page as it is on disk."""
    return (project.home / "runs" / run / "report.html").read_text(encoding="utf-8")


def section(page: str, heading: str) -> str:
    """A page's part from one heading to the next."""
    return page[page.index(f"<h2>{heading}") :].split("<h2>")[1]


def test_the_newest_run_is_reported_and_the_page_named(
    told: Project, rpa: Rpa, rpa_json: RpaJson
) -> None:
    path = told.home / "runs" / RUN / "report.html"
    assert rpa("report").stdout == f"report: {path}\n"
    assert path.is_file()
    document = rpa_json("report", RUN)
    assert document["report"] == str(path)
    assert document["counts"]["unknown"] == 4
    assert document["counts"]["pending"] == 1 + 12  # never begun
    assert [shop["shop"] for shop in document["shops"]] == [SHOP, OTHER]
    assert document["shops"][1]["counts"] == {"pending": 12, "submitted": 1}


def test_held_units_come_first_with_reason_and_commands(told: Project, rpa: Rpa) -> None:
    rpa("report")
    page = unescape(page_of(told))
    assert "<h1" in page
    assert "5 of 26 units wait for a person" in page
    waiting = section(page, "Waiting for a person")
    for unit, status in EVERYTHING.items():
        assert (f">{unit}</b>" in waiting) == (status in ("unknown", "changed"))
    assert "the list says 14 records, 13 were read" in waiting
    assert f"rpa confirm {SHOP}:unit-3 --landed --by WHO --note TEXT" in waiting
    assert f"rpa accept {SHOP}:unit-5 --by WHO" in waiting
    assert page.index("<h2>Waiting") < page.index("<h2>Failed") < page.index("<h2>Shops")


def test_errors_verdicts_and_persons_words_are_told(told: Project, rpa: Rpa) -> None:
    rpa("confirm", "unit-8", "--landed", "--by", "王芳", "--note", "见复制记录")
    rpa("report")
    page = unescape(page_of(told))
    errors = section(page, "Errors")
    assert "Invalid: 第 3 行：找不到货源 SRC-1004" in errors
    assert "NoAnswer: net::ERR_EMPTY_RESPONSE" in errors
    assert "the record lacks stock" in section(page, "Verdicts")
    assert "王芳 confirmed: it landed" in page
    assert "见复制记录" in page


def test_every_unit_is_told_with_its_pictures(told: Project, rpa: Rpa, rpa_json: RpaJson) -> None:
    units = rpa_json("report")["units"]
    assert len(units) == 26
    page = page_of(told)
    shown = {place["path"] for unit in units for row in unit["story"] for place in row["evidence"]}
    kept = [path for path in shown if Path(path).is_file()]
    assert len(kept) > 10
    assert page.count("data:image/jpeg;base64,") == len(kept)
    assert page.count("no longer kept") == len(shown) - len(kept) == 2  # the other shop took none
    for title in (TITLES["unit-1"], TITLES["unit-3"]):
        assert title in page


def test_the_page_needs_nothing_but_itself(told: Project, rpa: Rpa) -> None:
    rpa("report")
    page = page_of(told)
    assert not re.search(r"<(script|link|iframe|object)\b", page)
    assert not re.search(r"""(src|href)=["'](?!data:|#)""", page)
    assert not re.search(r"url\(|@import", page)
    assert "default-src 'none'" in page


def test_what_a_page_or_a_person_said_is_text_and_nothing_else(told: Project, rpa: Rpa) -> None:
    evil = '"><script>alert(1)</script><img src=x onerror=alert(2)>'
    teller = Teller(told, OTHER)
    teller.prepare("unit-2")
    error = {"class": evil, "message": evil}
    teller.write("unit-2", Event.FAILED, step="fill", error=error)
    teller.journal.close()
    rpa("skip", f"{OTHER}:unit-2", "--by", evil, "--note", evil)
    rpa("report")
    page = page_of(told)
    assert evil not in page
    assert escape(evil).replace("&quot;", "&#34;") in page


def test_pictures_beyond_the_room_are_links(
    told: Project, rpa: Rpa, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = [path.stat().st_size for path in told.evidence(SHOP).rglob("*.jpg")]
    monkeypatch.setattr(report_page, "_ROOM", sum(sizes) // 2)
    rpa("report")
    page = page_of(told)
    inside = page.count("data:image/jpeg;base64,")
    links = re.findall(r'<a class="missing" href="([^"]+)"', page)
    assert 0 < inside < len(sizes)
    assert inside + len(links) == len(sizes)
    folder = told.home / "runs" / RUN
    assert all(link.startswith("../../evidence/%E6") for link in links)  # the shop's name, quoted
    assert (folder / "../../evidence").resolve() == told.home / "evidence"


def test_only_evidence_is_ever_taken_into_the_page(told: Project, rpa: Rpa) -> None:
    stranger = told.root / "private.jpg"
    stranger.write_bytes(b"private picture")
    teller = Teller(told, OTHER)
    teller.fail("unit-2")
    name = "../../../private.jpg"
    assert (told.evidence(OTHER) / name).resolve() == stranger
    teller.write("unit-2", Event.STARTED, step="x", evidence=(name,))
    teller.journal.close()
    rpa("report")
    page = page_of(told)
    assert "cHJpdmF0ZSBwaWN0dXJl" not in page
    assert 'href="../../../private.jpg"' not in page


def test_a_resumed_batch_is_one_report(told: Project, rpa: Rpa, rpa_json: RpaJson) -> None:
    again = "20251201T090000-beef"
    save_run(told, again, batch=RUN, items=13)
    teller = Teller(told, SHOP, run=again, now=at_noon() + 75600)
    teller.judge("unit-3", Event.LANDED, "one new record carries this key", "8013")
    teller.land("unit-7")
    teller.journal.close()
    document = rpa_json("report")
    assert document["run"] == again
    assert document["counts"]["submitted"] == 5
    assert document["began"].startswith("2025-12-01T09:00")
    assert [bar["label"] for bar in document["lanes"][0]["bars"]] == ["unit-3", "unit-7"]
    assert not document["errors"]  # of the first run
    page = unescape(page_of(told, again))
    assert f"run {again}, of the batch of {RUN}" in page
    assert page.count(f"run {RUN} ·") > 1  # whole stories all the same


def test_a_run_that_had_nothing_to_do_says_so(project: Project, rpa: Rpa) -> None:
    for shop in (SHOP, OTHER):
        teller = Teller(project, shop, run="20251101T000000-0001")
        teller.land("unit-1")
        teller.journal.close()
    save_run(project, items=1)
    rpa("report")
    page = unescape(page_of(project))
    assert "2 units submitted" in page
    assert "this run had nothing to do" in page
    assert "<h2>Timeline" not in page


def test_a_shop_that_never_began_is_in_the_report(project: Project, rpa_json: RpaJson) -> None:
    save_run(project, items=2)
    document = rpa_json("report")
    assert document["counts"] == {"pending": 4}
    assert "4 of 4 units are not done yet" in page_of(project)


def test_beyond_a_thousand_units_stories_are_left_out_and_no_unit_is(
    told: Project, rpa_json: RpaJson, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report_data, "MOST_STORIES", 3)
    document = rpa_json("report")
    assert [unit["status"] for unit in document["units"]] == ["unknown"] * 3
    assert len(document["rest"]) == 26 - 3
    page = page_of(told)
    assert all(f'id="u-{unit["unit"]}"' in page for unit in document["rest"])


def test_a_compacted_journal_gives_the_same_report(told: Project, rpa_json: RpaJson) -> None:
    before = rpa_json("report")
    compact(told.journal(SHOP), clock=at_noon)
    after = rpa_json("report")
    assert {**after, "written": ""} == {**before, "written": ""}


def test_what_cannot_be_reported(told: Project, rpa: Rpa) -> None:
    assert rpa("report", "20250101T000000-0000").exit_code == 2
    path = write_report(told, RUN)
    old = path.read_bytes()
    journal = told.journal(OTHER)
    journal.write_bytes(journal.read_bytes().replace(b"started", b"startet", 1))
    result = rpa("report")
    assert result.exit_code == 6
    assert "line 2 (byte" in result.stderr
    assert path.read_bytes() == old


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
async def test_a_browser_shows_the_page_as_meant(told: Project, scheme: str, width: int) -> None:
    path = write_report(told, RUN)
    async with plain_browser() as browser:
        context = await browser.new_context(
            viewport={"width": width, "height": 800},
            color_scheme="dark" if scheme == "dark" else "light",
        )
        page = await context.new_page()
        asked: list[str] = []
        complaints: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        await page.goto(path.as_uri())
        assert await page.evaluate("document.documentElement.scrollWidth") == width
        held = page.locator("details.unit.held").first
        picture = held.locator("img").first
        assert await picture.evaluate("image => image.naturalWidth") == 320
        small = await picture.evaluate("image => image.clientWidth")
        await picture.click()
        large = await picture.evaluate("image => image.clientWidth")
        assert large > small if width > 800 else large == small
        bar = page.locator(".bar", has_text="unit-3").first
        await bar.click()
        assert await page.locator("details.unit:target b").inner_text() == "unit-3"
        style = "getComputedStyle(document.body)"
        ink, paper = await page.evaluate(f"[{style}.color, {style}.backgroundColor]")
        assert (_brightness(ink) > _brightness(paper)) == (scheme == "dark")
        assert [url for url in asked if not url.startswith("data:")] == [
            path.as_uri(),
            *(url for url in asked if "#u-" in url),
        ]
        assert not complaints


def _brightness(colour: str) -> int:
    return sum(int(part) for part in re.findall(r"\d+", colour)[:3])
