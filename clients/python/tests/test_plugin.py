"""The plugin, in inner sessions of pytest."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from conftest import RunTests

from suite_simulator import SimulatorClient, SimulatorError, connect, start_simulator

UNREACHABLE = "http://127.0.0.1:9"


def test_gives_each_test_a_workspace_and_deletes_it(
    server: SimulatorClient, run_tests: RunTests
) -> None:
    before = {each["id"] for each in server.workspaces.list()}
    result = run_tests(
        """
        seen = []

        def test_one(workspace, suite_simulator):
            seen.append(workspace.id)
            assert workspace.id in [each["id"] for each in suite_simulator.workspaces.list()]
            assert workspace.get("payments", "/payment-links").json()["data"] == []

        def test_other(workspace, suite_simulator):
            assert workspace.id not in seen
            assert seen[0] not in [each["id"] for each in suite_simulator.workspaces.list()]

        def test_removes_it_itself(workspace):
            workspace.remove()
        """
    )
    result.assert_outcomes(passed=3)
    assert {each["id"] for each in server.workspaces.list()} == before


def test_has_a_clock_and_a_receiver(server: SimulatorClient, run_tests: RunTests) -> None:
    result = run_tests(
        """
        from datetime import timedelta

        def test_pays(workspace, receiver, clock):
            receiver.subscribe(workspace, interface="payments")
            body = {"amount": 1250, "currency": "USD", "description": "Standing desk"}
            link = workspace.post("payments", "/payment-links", json=body).json()["data"]
            workspace.trigger("payments.link.pay", link_id=link["id"])
            assert receiver.next("payment.completed").verified
            before = clock.now()
            clock.advance("P3D")
            assert clock.now() - before >= timedelta(days=3)
        """
    )
    result.assert_outcomes(passed=1)


@pytest.mark.usefixtures("server")
class TestOptions:
    def test_markers_set_options_and_the_nearest_has_priority(self, run_tests: RunTests) -> None:
        result = run_tests(
            """
            import pytest

            pytestmark = pytest.mark.workspace(currency="PAB", fixtures="small")

            @pytest.mark.workspace(timezone="America/Panama")
            class TestPanama:
                @pytest.mark.workspace(currency="MXN")
                def test_options(self, workspace):
                    assert (workspace.currency, workspace.timezone) == ("MXN", "America/Panama")
                    assert workspace.get("payments", "/payment-links").json()["data"] != []

            def test_module(workspace):
                assert workspace.currency == "PAB"
            """,
            "--strict-markers",
        )
        result.assert_outcomes(passed=2)

    def test_a_fixture_sets_options_for_a_module(self, run_tests: RunTests) -> None:
        result = run_tests(
            """
            import pytest

            @pytest.fixture
            def workspace_options():
                return {"name": "Bakery", "currency": "PAB"}

            @pytest.mark.workspace(currency="MXN")
            def test_options(workspace):
                assert (workspace.name, workspace.currency) == ("Bakery", "MXN")
            """
        )
        result.assert_outcomes(passed=1)

    @pytest.mark.parametrize(
        ("marker", "message"),
        [
            ('fixture="small"', "there is no workspace option 'fixture'; did you mean 'fixtures'?"),
            ("zzz=1", "there is no workspace option 'zzz'; known are fixtures, name, currency, *"),
            ('"small"', "the marker workspace takes named options: *"),
            ('fixtures="huge"', '*fixtures must be*'),
            ('currency="dollars"', "currency must be an ISO 4217 currency code*"),
        ],
    )
    def test_wrong_options_are_errors(self, run_tests: RunTests, marker: str, message: str) -> None:
        result = run_tests(
            f"""
            import pytest

            @pytest.mark.workspace({marker})
            def test_options(workspace):
                pass
            """
        )
        result.assert_outcomes(errors=1)
        result.stdout.fnmatch_lines(["*ERROR at setup of test_options*", message])
        result.stdout.no_fnmatch_line("*Traceback*")

    def test_are_documented(self, run_tests: RunTests) -> None:
        result = run_tests("", "--markers")
        result.stdout.fnmatch_lines(["@pytest.mark.workspace(fixtures, name, *"])
        result = run_tests("", "--help")
        result.stdout.fnmatch_lines(["*--suite-sim-url=URL*", "*suite_sim_args*"])
        result = run_tests("", "--fixtures")
        result.stdout.fnmatch_lines_random(
            [f"{name} *" for name in ("workspace", "make_workspace", "receiver", "clock")]
        )


def test_creates_several_workspaces(server: SimulatorClient, run_tests: RunTests) -> None:
    before = len(server.workspaces.list())
    result = run_tests(
        """
        def test_isolation(workspace, make_workspace):
            other = make_workspace(currency="PAB")
            body = {"amount": 1250, "currency": "USD", "description": "Standing desk"}
            workspace.post("payments", "/payment-links", json=body)
            assert other.get("payments", "/payment-links").json()["data"] == []
            assert other.currency == "PAB"
            make_workspace()
            other.clone().clone()
        """
    )
    result.assert_outcomes(passed=1)
    assert len(server.workspaces.list()) == before


@pytest.mark.usefixtures("server")
class TestReceiver:
    def test_an_error_in_an_answer_function_is_an_error(self, run_tests: RunTests) -> None:
        result = run_tests(
            """
            def test_answer(workspace, receiver):
                def answer(webhook):
                    assert webhook.event == "sale.cancelled"
                    return 200

                receiver.answer_with(answer)
                receiver.subscribe(workspace, interface="pos")
                workspace.trigger("pos.event.emit", event="sale.completed")
                workspace.deliveries.wait(status="pending")
                workspace.clock.advance("PT1M")
            """
        )
        result.assert_outcomes(passed=1, errors=1)
        result.stdout.fnmatch_lines(["*assert 'sale.completed' == 'sale.cancelled'"])

    def test_has_another_host_name(
        self, run_tests: RunTests, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        source = """
            def test_host(receiver):
                assert receiver.url.startswith("http://HOST:")
            """
        result = run_tests(source.replace("HOST", "127.0.0.1"))
        result.assert_outcomes(passed=1)
        monkeypatch.setenv("SUITE_SIM_WEBHOOK_HOST", "variable.test")
        result = run_tests(source.replace("HOST", "variable.test"))
        result.assert_outcomes(passed=1)
        result = run_tests(
            source.replace("HOST", "option.test"), "--suite-sim-webhook-host", "option.test"
        )
        result.assert_outcomes(passed=1)


class TestServerOfTheSession:
    SOURCE = """
        import pytest

        @pytest.mark.parametrize("number", [1, 2])
        def test_it(suite_simulator, number):
            with open("urls", "a") as file:
                print(suite_simulator.url, file=file)
        """

    def test_starts_once_and_ends(
        self, no_server: None, run_tests: RunTests, pytester: pytest.Pytester
    ) -> None:
        result = run_tests(self.SOURCE)
        result.assert_outcomes(passed=2)
        urls = (pytester.path / "urls").read_text().split()
        assert urls == [urls[0]] * 2
        with pytest.raises(SimulatorError, match="No simulator responds"):
            connect(urls[0])

    def test_gets_the_arguments_of_the_configuration(
        self, no_server: None, run_tests: RunTests, pytester: pytest.Pytester
    ) -> None:
        pytester.makeini("[pytest]\nsuite_sim_args = --fixtures none --seed ci")
        result = run_tests(
            """
            def test_arguments(suite_simulator):
                assert suite_simulator.workspaces.list() == []
            """
        )
        result.assert_outcomes(passed=1)

    def test_reports_a_command_that_fails(self, no_server: None, run_tests: RunTests) -> None:
        result = run_tests(
            "def test_it(workspace): pass",
            *("--suite-sim-command", "sh -c 'echo no disk >&2; exit 3'"),
        )
        result.assert_outcomes(errors=1)
        result.stdout.fnmatch_lines(
            ["sh -c * serve --port 0 --db :memory: ended:", "no disk", "(ended with exit code 3)"]
        )
        result.stdout.fnmatch_lines(["Set SUITE_SIM_URL to a running simulator, or SUITE_SIM_COMMAND*"])

    def test_reports_a_command_that_does_not_exist(
        self, no_server: None, run_tests: RunTests
    ) -> None:
        args = ["--suite-sim-command", "/nowhere/suite-sim"]
        result = run_tests("def test_it(workspace): pass", *args)
        result.assert_outcomes(errors=1)
        result.stdout.fnmatch_lines(["/nowhere/suite-sim serve * did not start: *No such file*"])


class TestUrl:
    def test_of_the_command_line_has_priority(
        self,
        suite_simulator: SimulatorClient,
        run_tests: RunTests,
        pytester: pytest.Pytester,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        source = "def test_it(workspace): pass"
        monkeypatch.setenv("SIM_ADMIN_TOKEN", suite_simulator.admin_token or "")
        monkeypatch.delenv("SUITE_SIM_URL", raising=False)
        pytester.makeini(f"[pytest]\nsuite_sim_url = {suite_simulator.url}")
        run_tests(source).assert_outcomes(passed=1)
        monkeypatch.setenv("SUITE_SIM_URL", UNREACHABLE)
        run_tests(source).assert_outcomes(errors=1)
        result = run_tests(source, "--suite-sim-url", suite_simulator.url)
        result.assert_outcomes(passed=1)
        result.stdout.fnmatch_lines([f"suite-simulator: {suite_simulator.url}"])

    @pytest.mark.parametrize("url", ["127.0.0.1:4012", "ftp://127.0.0.1", "simulator"])
    def test_must_be_a_url(self, run_tests: RunTests, url: str) -> None:
        result = run_tests("def test_it(workspace): pass", "--suite-sim-url", url)
        result.assert_outcomes(errors=1)
        result.stdout.fnmatch_lines([f"{url} must be a URL that starts with http:// or https://"])

    def test_without_a_server_is_reported_for_each_test(self, run_tests: RunTests) -> None:
        result = run_tests(
            """
            def test_one(workspace): pass
            def test_other(clock): pass
            def test_without_a_simulator(): pass
            """,
            *("--suite-sim-url", UNREACHABLE),
        )
        result.assert_outcomes(passed=1, errors=2)
        result.stdout.fnmatch_lines(
            [
                f"No simulator responds at {UNREACHABLE}/_sim: *refused*",
                "Start it, or leave out --suite-sim-url, SUITE_SIM_URL and suite_sim_url.",
            ]
        )
        assert "httpx" not in result.stdout.str()

    def test_of_another_server_is_reported(self, run_tests: RunTests, other_server: str) -> None:
        result = run_tests("def test_it(workspace): pass", "--suite-sim-url", other_server)
        result.assert_outcomes(errors=1)
        result.stdout.fnmatch_lines([f"The server at {other_server} is not a simulator."])


@pytest.fixture
def other_server() -> Iterator[str]:
    """A server that answers 200 and is no simulator."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"hello")

        def log_message(self, format: str, *args: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_uses_the_token_of_a_protected_server(
    no_server: None, run_tests: RunTests, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = "def test_it(workspace): workspace.clock.now()"
    with start_simulator("--fixtures", "none", admin_token="open-sesame") as simulator:
        monkeypatch.setenv("SUITE_SIM_URL", simulator.url)
        for token in ("", "wrong"):
            monkeypatch.setenv("SIM_ADMIN_TOKEN", token)
            result = run_tests(source)
            result.assert_outcomes(errors=1)
            advice = f"Set SIM_ADMIN_TOKEN to the admin token of {simulator.url}."
            result.stdout.fnmatch_lines([advice])
        monkeypatch.setenv("SIM_ADMIN_TOKEN", "open-sesame")
        result = run_tests(source)
        result.assert_outcomes(passed=1)
        assert "open-sesame" not in result.stdout.str()
        assert simulator.workspaces.list() == []
