"""How an integration in Python is tested. The plugin of suite-simulator gives each test its own workspace."""

from datetime import datetime, timedelta

import pytest

pytestmark = pytest.mark.workspace(fixtures="small")


def sell(workspace, **fields):
    order = {"amount": 44900, "currency": "USD", "description": "Standing desk", **fields}
    response = workspace.post("payments", "/payment-links", json=order)
    assert response.status_code == 201, response.text
    return response.json()["data"]["id"]


def status_of(workspace, link):
    return workspace.get("payments", f"/payment-links/{link}").json()["data"]["status"]


def test_an_order_is_paid(workspace):
    link = sell(workspace)
    workspace.trigger("payments.link.pay", link_id=link)
    assert status_of(workspace, link) == "paid"


def test_a_payment_is_reported_by_a_webhook(workspace, receiver):
    receiver.subscribe(workspace, interface="payments", events=["payment.completed"])
    workspace.trigger("payments.link.pay", link_id=sell(workspace, amount=1250))
    webhook = receiver.next("payment.completed")
    assert webhook.verified
    assert webhook.data["transaction"]["amount"] == 1250


def test_a_webhook_is_sent_again_if_the_shop_is_down(workspace, receiver, clock):
    receiver.subscribe(workspace, interface="payments", events=["payment.completed"])
    receiver.answer_with(lambda webhook: 503 if webhook.attempt == 1 else 200)
    workspace.trigger("payments.link.pay", link_id=sell(workspace))
    receiver.wait(1)
    clock.advance(timedelta(minutes=1))
    assert [each.status for each in receiver.wait(2)] == [503, 200]


def test_a_record_can_be_waited_for(workspace):
    link = sell(workspace)
    workspace.trigger("payments.link.pay", link_id=link)
    record = workspace.records.wait("payments.links", link, until="status:paid")
    assert record["history"][-1]["move"] == "pay"


def test_a_link_expires(workspace, clock):
    clock.freeze(datetime(2026, 3, 1, 9))
    link = sell(workspace, expires_at="2026-03-02T14:00:00Z")
    clock.advance(timedelta(days=2))
    assert status_of(workspace, link) == "expired"


def test_an_outage_is_met(workspace):
    workspace.faults.add(interface="payments", status=503, times=1)
    assert workspace.get("payments", "/payment-links").status_code == 503
    assert workspace.get("payments", "/payment-links").status_code == 200


def test_others_see_nothing_of_it(workspace, make_workspace):
    other = make_workspace()
    sell(workspace)
    assert other.get("payments", "/payment-links").json()["data"] == []
