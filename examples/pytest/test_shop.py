"""What an integration in Python is tested by."""


def sell(workspace, **fields):
    order = {"amount": 44900, "currency": "USD", "description": "Standing desk", **fields}
    status, body = workspace.api("POST", "/pay/v1/payment-links", order)
    assert status == 201, body
    return body["data"]["id"]


def test_an_order_is_paid(workspace):
    link = sell(workspace)
    workspace.trigger("payments.link.pay", link_id=link)
    _, body = workspace.api("GET", f"/pay/v1/payment-links/{link}")
    assert body["data"]["status"] == "paid"


def test_what_happened_can_be_waited_for(workspace):
    link = sell(workspace)
    workspace.trigger("payments.link.pay", link_id=link)
    record = workspace.control("GET", f"/records/payments.links/{link}?until=status:paid&wait=10")
    assert record["state"] == "paid"


def test_a_link_expires(workspace):
    workspace.control("PUT", "/clock", {"now": "2026-03-01T09:00:00Z", "frozen": True})
    link = sell(workspace, expires_at="2026-03-02T09:00:00Z")
    workspace.advance("P2D")
    _, body = workspace.api("GET", f"/pay/v1/payment-links/{link}")
    assert body["data"]["status"] == "expired"


def test_an_outage_is_met(workspace):
    workspace.control("POST", "/faults", {"interface": "payments", "status": 503, "times": 1})
    assert workspace.api("GET", "/pay/v1/payment-links")[0] == 503
    assert workspace.api("GET", "/pay/v1/payment-links")[0] == 200


def test_others_see_nothing_of_it(workspace):
    before = workspace.api("GET", "/pay/v1/payment-links?limit=100")[1]["data"]
    sell(workspace)
    after = workspace.api("GET", "/pay/v1/payment-links?limit=100")[1]["data"]
    assert len(after) == len(before) + 1
