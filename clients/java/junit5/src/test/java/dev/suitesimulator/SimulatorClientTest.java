package dev.suitesimulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.suitesimulator.generated.Operation;
import dev.suitesimulator.generated.StateMachine;
import dev.suitesimulator.generated.WorkspaceCreate;
import dev.suitesimulator.json.Json;
import dev.suitesimulator.junit5.SuiteSimulatorExtension;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(SuiteSimulatorExtension.class)
class SimulatorClientTest {
  @Test
  void describesTheSimulator(SimulatorClient simulator) {
    assertEquals("ok", simulator.health().status());
    assertEquals(simulator.url() + "/_sim", simulator.adminUrl());
    assertTrue(simulator.triggers().stream().anyMatch(each -> each.name().equals("payments.link.pay")));
    assertTrue(simulator.readings().stream().anyMatch(each -> each.name().equals("scopes.unlisted")));
    assertTrue(simulator.observed().data().isEmpty());
    StateMachine machine = simulator.machines().get("payments.link");
    assertTrue(simulator.machines().list().contains(machine));
    assertTrue(simulator.coverage().operations().size() > 100);
    assertTrue(simulator.coverage("mermaid").contains("stateDiagram"));
    assertTrue(simulator.metrics().contains("# HELP"));
    assertEquals("3.1.0", simulator.openapi().get("openapi").asString());
    assertEquals("3.1.0", simulator.openapi("pos").get("openapi").asString());
  }

  @Test
  void connectsToAUrlWithASlash(SimulatorClient simulator) {
    assertEquals(simulator.url(), SimulatorClient.connect(simulator.url() + "/").url());
  }

  @Test
  void createsListsAndDeletesWorkspaces(SimulatorClient simulator) {
    WorkspaceCreate options = WorkspaceCreate.of().name("Java").currency("PAB").timezone("America/Panama");
    try (NewWorkspace workspace = simulator.createWorkspace(options)) {
      assertEquals("Java", workspace.name());
      assertEquals("PAB", workspace.currency());
      assertEquals("America/Panama", workspace.timezone());
      assertTrue(workspace.accountId() > 0);
      assertTrue(simulator.workspaces().list().stream().anyMatch(each -> each.id().equals(workspace.id())));
      simulator.workspaces().delete(workspace.id());
      assertTrue(simulator.workspaces().list().stream().noneMatch(each -> each.id().equals(workspace.id())));
    }
  }

  @Test
  void callsAnyOperation(SimulatorClient simulator, Workspace workspace) {
    Map<String, String> path = Map.of("id", workspace.id());
    Json clock = simulator.call(Operation.SET_CLOCK, path, Map.of(), Json.object("frozen", true));
    assertTrue(clock.get("frozen").asBoolean());
    assertTrue(simulator.call(Operation.RESET_WORKSPACE, path, Map.of(), null).isNull());
  }

  @Test
  void listsCallsWithoutAWorkspace(SimulatorClient simulator) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(simulator.url() + "/nowhere/java")).build();
    HttpClient.newHttpClient().send(request, BodyHandlers.discarding());
    assertTrue(simulator.unmatched().stream().anyMatch(each -> each.path().equals("/nowhere/java")));
    assertFalse(simulator.awaitUnmatched(1, Duration.ofSeconds(10)).isEmpty());
  }

  @Test
  @EnabledIfEnvironmentVariable(named = "SIM_ADMIN_TOKEN", matches = ".+")
  void reportsAWrongToken(SimulatorClient simulator) {
    SimulatorClient stranger = SimulatorClient.connect(simulator.url(), "wrong");
    SimulatorException error = assertThrows(SimulatorException.class, () -> stranger.workspaces().list());
    assertEquals(401, error.status());
  }

  @Test
  void reportsTheUrlIfNoServerResponds() {
    SimulatorException error =
        assertThrows(SimulatorException.class, () -> SimulatorClient.connect("http://127.0.0.1:1"));
    assertEquals(SimulatorException.UNREACHABLE, error.code());
    assertNull(error.status());
    assertEquals(
        "No simulator responds at http://127.0.0.1:1/_sim: the connection was refused", error.getMessage());
  }

  @Test
  void reportsAHostWithoutAnAddress() {
    SimulatorException error =
        assertThrows(SimulatorException.class, () -> SimulatorClient.connect("http://none.invalid:1"));
    assertEquals(
        "No simulator responds at http://none.invalid:1/_sim: the host has no address", error.getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"200|{\"status\":\"up\"}", "200|hello", "200|[1]", "404|not here", "500|{\"error\":\"no\"}"})
  void reportsAnotherServer(int status, String body) throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    try {
      String url = "http://127.0.0.1:" + server.getAddress().getPort();
      SimulatorException error =
          assertThrows(SimulatorException.class, () -> SimulatorClient.connect(url));
      assertEquals(SimulatorException.UNEXPECTED_ANSWER, error.code());
      assertEquals(List.of(), error.details());
    } finally {
      server.stop(0);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1:4012", "ftp://127.0.0.1", "simulator", "http://", "http:// x"})
  void refusesWhatIsNotAUrl(String url) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> SimulatorClient.connect(url)).getMessage();
    assertEquals(url + " must be a URL that starts with http:// or https://", message);
  }
}
