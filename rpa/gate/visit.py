"""Visiting a page before anything is sent: what a bad answer means there."""

from __future__ import annotations

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page, Response

from rpa.errors import Invalid, StoreDown, Throttled

__all__ = ["check_answer", "store_down", "visit"]

_NO_ANSWER = (
    "ERR_CONNECTION",
    "ERR_SOCKS",
    "ERR_PROXY",
    "ERR_TUNNEL",
    "ERR_EMPTY",
    "ERR_NAME",
    "ERR_ADDRESS",
    "ERR_TIMED_OUT",
)


def store_down(error: PlaywrightError) -> bool:
    """Say whether a browser error means that the store does not answer."""
    return any(code in error.message for code in _NO_ANSWER)


async def visit(page: Page, url: str) -> Response | None:
    """Open a page by GET.

    Raises:
        StoreDown: No answer, or a 5xx.
        Throttled: A 429; carries Retry-After where the store gave one in seconds.
        Invalid: Any other 4xx.
    """
    try:
        response = await page.goto(url, wait_until="domcontentloaded")
    except PlaywrightError as error:
        if store_down(error) or "Timeout" in error.message:
            raise StoreDown(f"{url} does not answer ({error.message.splitlines()[0]})") from None
        raise
    await check_answer(response)
    return response


async def check_answer(response: Response | None) -> None:
    """Take a page's answer for what it is, where nothing of a unit was sent.

    Raises:
        StoreDown: A 5xx.
        Throttled: A 429; carries Retry-After where the store gave one in seconds.
        Invalid: Any other 4xx.
    """
    if response is None or response.status < 400:
        return
    said = f"{response.url} answers {response.status}"
    if response.status == 429:
        wait = (await response.all_headers()).get("retry-after", "")
        raise Throttled(said, float(wait) if wait.isdigit() else None)
    if response.status >= 500:
        raise StoreDown(said)
    raise Invalid(said)
