"""What an answer proves."""

from __future__ import annotations

import pytest

from rpa.gate.signals import (
    Answer,
    Signal,
    all_of,
    any_of,
    json_where,
    never,
    redirects_to,
    status,
    text_matches,
)


@pytest.mark.parametrize(
    ("signal", "answer", "proves"),
    [
        (status(200, 204), Answer(204), True),
        (status(200), Answer(None, error="Failed"), False),
        (redirects_to("/list/"), Answer(302, "http://shop.example/list/?created=7"), True),
        (redirects_to("/list/*"), Answer(303, "/list/7"), True),
        (redirects_to("/list/"), Answer(302, "http://shop.example/login/?next=/list/"), False),
        (redirects_to("/list/"), Answer(307, "/list/"), False),
        (redirects_to("/list/"), Answer(302), False),
        (text_matches("成功"), Answer(200, body="<p>上架成功</p>"), True),
        (text_matches("成功"), Answer(200, body=None), False),
        (text_matches("成功"), Answer(503, body="成功"), False),
        (text_matches("no", 403), Answer(403, body="no"), True),
        (json_where(lambda d: d.get("ok") is True), Answer(200, body='{"ok": true}'), True),
        (json_where(lambda d: d.get("ok") is True), Answer(200, body='{"ok": fal'), False),
        (json_where(lambda d: True), Answer(200, body="[1]"), False),
        (json_where(lambda d: True), Answer(500, body="{}"), False),
        (json_where(lambda d: True), Answer(200), False),
        (never, Answer(200, body="成功"), False),
        (all_of(status(200), text_matches("a")), Answer(200, body="ab"), True),
        (all_of(status(200), text_matches("a")), Answer(200, body="b"), False),
        (any_of(status(403), status(404)), Answer(404), True),
        (any_of(status(403), status(404)), Answer(405), False),
    ],
)
def test_signal(signal: Signal, answer: Answer, proves: bool) -> None:
    assert signal(answer) is proves


def test_the_journal_never_keeps_a_body() -> None:
    kept = Answer(200, None, "token=机密", None).to_json()
    assert kept == {"status": 200, "length": len("token=机密")}
