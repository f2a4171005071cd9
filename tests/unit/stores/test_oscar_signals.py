"""What an answer of the dashboard proves: every answer here was given by the real store."""

from __future__ import annotations

from pathlib import Path

import pytest

from fixtures.pictures import picture
from rpa import Answer, RequestSeen, SubmitRule
from stores.oscar.signals import CREATE, DELETE
from tests.support.oscar import OscarFarm, start_oscar
from tests.support.oscar_client import DashboardClient

ORIGIN = "http://127.0.0.1:8000"
FORM = "/dashboard/catalogue/products/create/general/"

OTHER = {"upc": "SIG-OTHER", "stockrecords-0-partner_sku": "SIG-OTHER"}


def proves(rule: SubmitRule, answer: Answer) -> str:
    """Name the one thing an answer proves."""
    signals = {"accepted": rule.accepted, "refused": rule.refused, "rejected": rule.rejected}
    held = [name for name, signal in signals.items() if signal(answer)]
    assert len(held) <= 1
    return held[0] if held else "nothing"


def recorded(said: tuple[int, bytes, str]) -> Answer:
    """What the gate makes of an answer."""
    status, body, location = said
    return Answer(status, location or None, None if location else body.decode())


@pytest.fixture
def dashboard(oscar: OscarFarm) -> DashboardClient:
    client = DashboardClient(oscar.shops["shop-a"])
    assert client.login()
    return client


def upcs(farm: OscarFarm) -> list[str | None]:
    return [product.upc for product in farm.ledger()["shop-a"]]


@pytest.mark.store_oscar
def test_a_saved_product_is_accepted(oscar: OscarFarm, dashboard: DashboardClient) -> None:
    said = dashboard.save(dashboard.product_form("信号", "SIG-1", "1.00", 1))
    assert proves(CREATE, recorded(said)) == "accepted"
    assert "SIG-1" in upcs(oscar)


@pytest.mark.store_oscar
@pytest.mark.parametrize(
    ("changed", "proof"),
    [
        ({}, "nothing"),  # the UPC exists
        ({"upc": "SIG-OTHER"}, "nothing"),  # the partner's SKU exists
        ({"title": ""}, "nothing"),  # the UPC exists, and something else is wrong besides
        ({"productcategory_set-0-category": ""} | OTHER, "rejected"),
        (OTHER | {"upc": "S" * 65}, "rejected"),
        ({"stockrecords-0-price": "九块九"} | OTHER, "rejected"),
    ],
)
def test_a_form_that_comes_back_is_rejected_unless_the_product_exists(
    oscar: OscarFarm, dashboard: DashboardClient, changed: dict[str, str], proof: str
) -> None:
    taken = dashboard.product_form("信号", "SIG-TAKEN", "1.00", 1)
    if "SIG-TAKEN" not in upcs(oscar):
        assert dashboard.save(taken)[0] == 302
    before = oscar.ledger()
    said = dashboard.save(dashboard.product_form("信号", "SIG-TAKEN", "1.00", 1) | changed)
    assert said[0] == 200
    assert proves(CREATE, recorded(said)) == proof
    assert oscar.ledger() == before


@pytest.mark.store_oscar
@pytest.mark.parametrize(("lost", "status"), [("sid", 302), ("csrf", 403)])
def test_a_lost_session_or_token_is_refused(
    oscar: OscarFarm, dashboard: DashboardClient, lost: str, status: int
) -> None:
    before = oscar.ledger()
    form = dashboard.product_form("信号", "SIG-LOST", "1.00", 1)
    dashboard.forget(lost)
    said = dashboard.save(form)
    assert said[0] == status
    assert proves(CREATE, recorded(said)) == "refused"
    assert oscar.ledger() == before


@pytest.mark.store_oscar
@pytest.mark.parametrize("atomic", [True, False])
def test_an_error_of_the_store_proves_nothing_kept_or_not(tmp_path: Path, atomic: bool) -> None:
    with start_oscar(tmp_path, ["shop-a"], atomic=atomic) as farm:
        client = DashboardClient(farm.shops["shop-a"])
        assert client.login()
        media = farm.shops["shop-a"].data / "media"
        media.write_text("a file where the folder must be: saving the picture fails", "utf-8")
        form = client.product_form("信号", "SIG-500", "1.00", 1)
        said = client.save(form, picture("half"))
        kept = "SIG-500" in upcs(farm)
    assert (said[0], kept) == (500, not atomic)
    assert proves(CREATE, recorded(said)) == "nothing"


@pytest.mark.store_oscar
def test_deleting(oscar: OscarFarm, dashboard: DashboardClient) -> None:
    assert dashboard.create("信号", "SIG-GONE", "1.00", 1)[0] == 302
    [record] = [one.id for one in oscar.ledger()["shop-a"] if one.upc == "SIG-GONE"]
    assert proves(DELETE, recorded(dashboard.delete(record))) == "accepted"
    assert "SIG-GONE" not in upcs(oscar)
    assert proves(DELETE, recorded(dashboard.delete(record))) == "rejected"


@pytest.mark.parametrize(
    "answer",
    [
        Answer(None, error="Failed"),
        Answer(200, body=""),  # a white page
        Answer(200, body='<form id="dashboard_login_form">'),
        Answer(200, body=None),  # cut on the way
        Answer(302, "/"),
        Answer(302, "/dashboard/catalogue/products/7/"),
        Answer(403, body="Request blocked by the firewall"),
        Answer(404, body="Not Found"),
        Answer(429, body="slow down"),
        Answer(500, body="Server Error (500)"),
        Answer(503, body="Your submitted data was not valid"),
    ],
)
def test_other_answers_prove_nothing_about_a_product(answer: Answer) -> None:
    assert proves(CREATE, answer) == "nothing"


@pytest.mark.parametrize(
    ("method", "path", "rules"),
    [
        ("POST", FORM, [CREATE]),
        ("POST", f"{FORM}?sort=upc", [CREATE]),
        ("POST", "/dashboard/catalogue/products/create/服装/", [CREATE]),
        ("POST", "/dashboard/catalogue/products/17/delete/", [DELETE]),
        ("GET", FORM, []),
        ("GET", "/dashboard/catalogue/products/17/delete/", []),
        ("POST", "/dashboard/login/", []),
        ("POST", "/dashboard/catalogue/products/17/", []),
    ],
)
def test_the_rules_hold_the_requests_that_create_and_delete(
    method: str, path: str, rules: list[SubmitRule]
) -> None:
    request = RequestSeen(method, ORIGIN + path, "")
    assert [rule for rule in (CREATE, DELETE) if rule.matches(request, ORIGIN)] == rules
