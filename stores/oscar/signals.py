"""What the dashboard's answers prove, each measured on django-oscar 4.2.

An answer that is not named here proves nothing: a 500 was seen both with nothing kept and with a
half-made product left behind.
"""

from __future__ import annotations

from rpa import Answer, SubmitRule, any_of, redirects_to, status, text_matches

__all__ = ["CREATE", "DELETE"]

_LANDED = redirects_to("/dashboard/catalogue/")

# Both are decided before the store looks at the form: a session that has ended is sent to the
# login page, and a token that another login has rotated away is refused.
_NOT_LOOKED_AT = any_of(
    redirects_to("/dashboard/login/"), text_matches("CSRF verification failed", 403)
)

_ERRORS = "Your submitted data was not valid"
_EXISTS = "already exists"


def _sent_back(answer: Answer) -> bool:
    """The form again, with errors; the store has taken back what it had begun to save.

    Not where the store says that the product already exists: that may be an earlier attempt of
    ours, so only the list can tell.
    """
    body = answer.body or ""
    return answer.status == 200 and _ERRORS in body and _EXISTS not in body


CREATE = SubmitRule(
    "create",
    "/dashboard/catalogue/products/create/*",
    accepted=_LANDED,
    refused=_NOT_LOOKED_AT,
    rejected=_sent_back,
)
"""Saving a new product."""

DELETE = SubmitRule(
    "delete",
    "/dashboard/catalogue/products/*/delete/*",
    accepted=_LANDED,
    refused=_NOT_LOOKED_AT,
    rejected=status(404),  # there is no such product (any more)
)
"""Deleting a product."""
