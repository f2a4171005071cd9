"""The board: without a terminal, one line for each unit's outcome and one for each shop."""

from __future__ import annotations

import pytest

from rpa.cli.progress import Board, showing
from rpa.runner.job import Ended, Moved, Phase


def moved(unit: str, status: str, step: str = "copy", held: str = "") -> Moved:
    """A report of one unit."""
    return Moved(unit=unit, label=unit, event="-", status=status, step=step, held=held)


def test_each_outcome_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    board = Board(["杭州一店"])
    with showing(board):
        board.started("杭州一店")
        board.told("杭州一店", Phase(text="planning", total=2))
        for status in ("pending", "selected", "filled", "submitting", "submitted", "submitted"):
            board.told("杭州一店", moved("商品-1", status))
        board.told("杭州一店", moved("商品-2", "unknown", held="列表不完整"))
        board.told("杭州一店", Ended(exit_code=3, counts={}))
    assert capsys.readouterr().err.splitlines() == [
        "杭州一店: 商品-1 submitted [1/2]",
        "杭州一店: 商品-2 unknown (列表不完整) [2/2]",
        "杭州一店: 1 submitted, 1 held, 0 failed",
    ]


def test_a_unit_that_moves_on_counts_once_and_only_as_what_it_is_now() -> None:
    board = Board(["a", "b"])
    board.started("a")
    for status in ("failed", "pending", "submitting", "unknown", "submitted"):
        board.told("a", moved("u1", status))
    assert list(board.rows()) == [
        ("a", 1, 1, "1 submitted, 0 held, 0 failed", "u1 copy"),
        ("b", 0, 0, "0 submitted, 0 held, 0 failed", "waiting"),
    ]
    assert list(board.seconds()) == ["a"]


def test_a_shop_that_stopped_says_why() -> None:
    board = Board(["a"])
    board.started("a")
    board.told("a", Ended(exit_code=5, counts={}, error="the page belongs to 'x'"))
    assert [row[-1] for row in board.rows()] == ["the page belongs to 'x'"]
