"""What the back office's answers prove.

An answer that is not named here proves nothing: a 503, a white page, the login page with status
200, or a redirect to the list that names no new record may come before a commit or after it.
"""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from rpa import (
    Answer,
    RequestSeen,
    SubmitRule,
    all_of,
    any_of,
    json_where,
    redirects_to,
    text_matches,
)

__all__ = ["COPY", "CREATE", "TRASH", "UPLOAD"]

_PROBLEMS: Final = re.compile(r"<strong>Not saved 未保存</strong>\s*<ul>(.*?)</ul>", re.DOTALL)
_EXISTS: Final = "商家编码已存在"
_MULTIPART: Final = re.compile(r'name="shop_id"\r\n\r\n([^\r\n]*)\r\n')

# Decided before the page behind the form is asked at all: a session that has ended, and a token
# of a session before it.
_NOT_LOOKED_AT = any_of(redirects_to("*/login"), text_matches("The form has expired", 403))


def _named(answer: Answer, name: str) -> str | None:
    """The value that a redirect's address gives a name."""
    values = parse_qs(urlsplit(answer.location or "").query).get(name)
    return values[0] if values else None


def _created(answer: Answer) -> bool:
    """The redirect names the new record; one that names none wrote none, or hides it."""
    return (_named(answer, "created") or "").isdecimal()


def _corrections(answer: Answer) -> bool:
    """The form again, with what the seller has to correct; the shop checks before it writes.

    Not where it says that the merchant code exists already: that may be an earlier attempt of
    ours, so only the lists can tell.
    """
    shown = _PROBLEMS.search(answer.body or "")
    return answer.status == 200 and shown is not None and _EXISTS not in shown[1]


_REFUSED_FOR_GOOD = any_of(
    _corrections,
    text_matches("No such record", 404),
    text_matches("This form belongs to another shop", 409),
)


def _shop(request: RequestSeen) -> str | None:
    """The shop id that every form of the back office carries, however it is encoded."""
    in_parts = _MULTIPART.search(request.body)
    if in_parts is not None:
        return in_parts[1]
    values = parse_qs(request.body).get("shop_id")
    return values[0] if values else None


def _image_kept(reply: Any) -> bool:
    return reply.get("ok") is True and isinstance(reply.get("id"), int)


COPY: Final = SubmitRule(
    "copy",
    "/copies",
    accepted=all_of(redirects_to("*/copies"), _created),
    refused=_NOT_LOOKED_AT,
    rejected=_REFUSED_FOR_GOOD,
    shop=_shop,
    result=lambda answer: {"record": f"copy:{_named(answer, 'created')}"},
)
"""Copying a source good into the shop."""

UPLOAD: Final = SubmitRule(
    "upload",
    "/images",
    accepted=json_where(_image_kept),
    refused=_NOT_LOOKED_AT,
    rejected=any_of(json_where(lambda reply: reply.get("ok") is False), _REFUSED_FOR_GOOD),
    shop=_shop,
    harmless=True,
)
"""Taking a picture into the image space: the script of the product form does it first."""

CREATE: Final = SubmitRule(
    "create",
    "/products",
    accepted=all_of(redirects_to("*/products"), _created),
    refused=_NOT_LOOKED_AT,
    rejected=_REFUSED_FOR_GOOD,
    shop=_shop,
    result=lambda answer: {"record": f"product:{_named(answer, 'created')}"},
)
"""Publishing a product."""

TRASH: Final = SubmitRule(
    "trash",
    "/products/*/status",
    accepted=all_of(redirects_to("*/products/*"), lambda answer: bool(_named(answer, "saved"))),
    refused=_NOT_LOOKED_AT,
    rejected=_REFUSED_FOR_GOOD,
    shop=_shop,
)
"""Moving a product to another tab; the only move the adapter makes is to the trash."""
