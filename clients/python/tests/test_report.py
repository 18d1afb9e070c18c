"""The section of failed tests, in inner sessions of pytest."""

from __future__ import annotations

import pytest
from conftest import RunTests, section_of

from suite_simulator import SimulatorClient

LINK = '{"amount": 1250, "currency": "USD", "description": "Standing desk"}'


def test_shows_calls_hints_deliveries_and_calls_without_a_workspace(
    server: SimulatorClient, run_tests: RunTests
) -> None:
    result = run_tests(
        f"""
        def test_it(workspace, receiver):
            receiver.subscribe(workspace, interface="payments", events=["payment.completed"])
            receiver.answer_with(lambda webhook: 503 if webhook.attempt == 1 else 200)
            workspace.post("payments", "/payment-links", json={{"amount": "x"}})
            workspace.get("payments", "/payment-links", params={{"limt": 3}})
            workspace.faults.add(interface="pos", status=500)
            workspace.get("pos", "/orders")
            link = workspace.post("payments", "/payment-links", json={LINK}).json()["data"]["id"]
            workspace.trigger("payments.link.pay", link_id=link)
            receiver.wait(1)
            # Returns when the simulator has recorded the response of the receiver.
            workspace.clock.advance("PT0S")
            workspace.with_key("unknown-key").get("payments", "/refunds")
            assert workspace.id == "other"
        """
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E *assert * == 'other'"])
    section = section_of(result)
    address, *lines = section.split("\n")
    assert address.startswith(f"{server.admin_url}/#/calls?workspace=")
    assert lines[:2] == [
        "  Calls:",
        "    POST /pay/v1/payment-links 422  invalid: amount must be a positive integer in cents",
    ]
    assert "    GET /pay/v1/payment-links?limt=3 200" in lines
    assert any(line.startswith("    GET /pos/public/v1/orders 500  ") for line in lines)
    assert "    POST /pay/v1/payment-links 201" in lines
    hint = "unknown_query_parameter: listPaymentLinks has no query parameter limt. It was ignored."
    assert lines[lines.index("  Hints:") + 1] == f"    {hint}"
    delivery = lines[lines.index("  Deliveries:") + 1]
    assert delivery.startswith("    payment.completed pending to http://127.0.0.1:")
    assert "; 1 attempt, the last one: the receiver responded with 503; next attempt at 2" in delivery
    unmatched = lines.index("Calls to this server that belong to no workspace:") + 1
    assert lines[unmatched].startswith("  GET /pay/v1/refunds 401  credential_unknown: ")


def test_is_missing_if_a_test_does_not_fail(server: SimulatorClient, run_tests: RunTests) -> None:
    result = run_tests(
        """
        import pytest

        def test_passes(workspace): pass

        def test_skips(workspace): pytest.skip()

        @pytest.mark.xfail(strict=True)
        def test_is_expected_to_fail(workspace): assert 0
        """,
        "-rA",
    )
    result.assert_outcomes(passed=1, skipped=1, xfailed=1)
    result.stdout.no_fnmatch_line("*Suite Simulator*")


def test_is_missing_if_a_failed_test_used_no_simulator(
    server: SimulatorClient, run_tests: RunTests
) -> None:
    result = run_tests("def test_it(): assert 0")
    result.assert_outcomes(failed=1)
    result.stdout.no_fnmatch_line("*Suite Simulator*")


@pytest.mark.parametrize("args", [[], ["-x"]])
def test_appears_for_a_failed_setup(
    server: SimulatorClient, run_tests: RunTests, args: list[str]
) -> None:
    result = run_tests(
        """
        import pytest

        @pytest.fixture
        def broken(workspace):
            workspace.get("payments", "/payment-links")
            raise RuntimeError("no stock")

        def test_it(broken): pass
        """,
        *args,
    )
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["E *RuntimeError: no stock"])
    assert "    GET /pay/v1/payment-links 200" in section_of(result)


def test_shows_only_the_last_calls_and_long_ones_in_part(
    server: SimulatorClient, run_tests: RunTests
) -> None:
    result = run_tests(
        """
        def test_it(workspace):
            for number in range(24):
                workspace.get("payments", f"/payment-links/{number}/{'long' * 200}")
            for number in range(12):
                workspace.get("payments", "/payment-links", params={f"unknown{number}": "x"})
            assert 0
        """
    )
    lines = section_of(result).split("\n")
    calls = lines[lines.index("  Calls:") + 1 : lines.index("  Hints:")]
    assert calls[0] == "    (earlier ones are not shown)"
    assert len(calls) == 21
    assert [call.split("/")[4] for call in calls[1:9]] == [str(number) for number in range(16, 24)]
    assert "… 404  no_such_path: " in calls[1]
    assert max(map(len, lines)) <= 300
    assert lines[-1] == "    (2 more)"


def test_shows_all_workspaces_of_a_test(server: SimulatorClient, run_tests: RunTests) -> None:
    result = run_tests(
        """
        import pytest

        @pytest.fixture(scope="module")
        def shared(suite_simulator):
            with suite_simulator.workspaces.create() as workspace:
                yield workspace

        def test_passes(shared, workspace):
            workspace.get("pos", "/of-a-test-that-passed")

        def test_fails(shared, workspace, make_workspace):
            shared.get("payments", "/shared")
            workspace.get("payments", "/own")
            other = make_workspace()
            other.get("payments", "/other")
            workspace.clone().get("payments", "/cloned")
            make_workspace().remove()
            assert 0
        """
    )
    result.assert_outcomes(passed=1, failed=1)
    section = section_of(result)
    for path in ("shared", "own", "other", "cloned"):
        assert f"    GET /pay/v1/{path} 404  " in section
    assert "of-a-test-that-passed" not in section
    assert section.count("#/calls?workspace=") == 4


def test_shows_a_bounded_number_of_workspaces(
    server: SimulatorClient, run_tests: RunTests
) -> None:
    result = run_tests(
        """
        def test_it(make_workspace):
            for _ in range(7):
                make_workspace()
            assert 0
        """
    )
    section = section_of(result)
    assert section.count("#/calls?workspace=") == 5
    assert "(2 earlier workspaces are not shown)" in section


def test_reports_a_server_that_ended_and_the_failure_itself(
    no_server: None, run_tests: RunTests
) -> None:
    result = run_tests(
        """
        def test_it(workspace, suite_simulator):
            suite_simulator._server.stop()
            assert 1 == 2
        """
    )
    # The workspace could not be deleted either, which is no second error.
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E *assert 1 == 2"])
    section = section_of(result)
    assert "The simulator could not be asked: No simulator responds at " in section
    assert "Its last output:\n  {" in section
    assert section.endswith("(ended with exit code 0)")


def test_a_server_that_ended_fails_a_test_that_passed(
    no_server: None, run_tests: RunTests
) -> None:
    result = run_tests(
        """
        def test_it(workspace, suite_simulator):
            suite_simulator._server.stop()
        """
    )
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["E *SimulatorError: No simulator responds at *"])


def test_an_error_in_the_section_does_not_hide_the_failure(
    server: SimulatorClient, run_tests: RunTests
) -> None:
    result = run_tests(
        """
        def test_it(workspace, monkeypatch):
            monkeypatch.setattr("suite_simulator._report._hints", lambda hints: 1 / 0)
            workspace.get("payments", "/payment-links")
            assert 1 == 2
        """
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E *assert 1 == 2"])
    section = section_of(result)
    assert "    GET /pay/v1/payment-links 200" in section
    assert section.endswith("This section is incomplete: ZeroDivisionError('division by zero')")


def test_ends_at_the_line_of_the_test(server: SimulatorClient, run_tests: RunTests) -> None:
    result = run_tests(
        """
        def test_it(workspace):
            workspace.trigger("payments.link.pay", link_id="none")
        """
    )
    result.stdout.fnmatch_lines(["E *suite_simulator.SimulatorError: There is no payment link none."])
    assert "_calling.py" not in result.stdout.str()
