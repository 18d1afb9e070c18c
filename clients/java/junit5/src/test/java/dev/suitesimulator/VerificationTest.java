package dev.suitesimulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.suitesimulator.generated.JournalEntry;
import dev.suitesimulator.json.Json;
import dev.suitesimulator.junit5.SuiteSimulatorExtension;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SuiteSimulatorExtension.class)
class VerificationTest {
  private static final Verification NONE = Verification.of();

  private static void order(Workspace workspace, int amount) {
    Map<String, ?> order = Map.of("amount", amount, "currency", "USD", "description", "Standing desk");
    assertEquals(201, workspace.fetch("payments", "/payment-links", order).status());
  }

  private static Verification ofLinks() {
    return Verification.of().interfaceName("payments").method("POST").path("/payment-links");
  }

  private static String failureOf(Workspace workspace, Verification expected) {
    SimulatorException error =
        assertThrows(SimulatorException.class, () -> workspace.requests().verify(expected));
    assertEquals(SimulatorException.VERIFICATION_FAILED, error.code());
    // The ids of the calls depend on the earlier records of the workspace.
    return error.getMessage().replaceAll("req_\\d+", "req_n");
  }

  @Test
  void returnsTheMatchingCalls(Workspace workspace) {
    order(workspace, 1250);
    order(workspace, 1300);
    Pattern endsWithDesk = Pattern.compile("desk$");
    Map<String, ?> body = Map.of("amount", 1300, "description", endsWithDesk);
    Verification one = ofLinks().operation("createPaymentLink").status("2xx").body(body).times(1);
    List<JournalEntry> found = workspace.requests().verify(one);
    assertEquals(1300, found.get(0).request().body().get("amount").asInt());
    assertEquals(2, workspace.requests().verify(ofLinks().times(2)).size());
    assertEquals(2, workspace.requests().verify(ofLinks().between(1, 2)).size());
    assertEquals(List.of(), workspace.requests().verify(Verification.of().path("/payment-links/*").times(0)));
    assertEquals(2, workspace.requests().verify(NONE).size());
  }

  @Test
  void comparesQueryAndHeaders(Workspace workspace) {
    workspace.fetch("catalog", "/products?limit=2", InterfaceCall.of("GET").header("x-request-id", "one"));
    Verification expected =
        Verification.of().query(Map.of("limit", "2")).headers(Map.of("X-Request-Id", "one"));
    assertEquals(1, workspace.requests().verify(expected).size());
    String message = failureOf(workspace, Verification.of().headers(Map.of("X-Request-Id", "two")));
    assertEquals(
        "headers.x-request-id is \"one\", expected \"two\"", message.substring(message.indexOf("headers.x")));
  }

  @Test
  void findsCallsByTheNameOfTheirCaller(Workspace workspace) {
    InterfaceCall named = InterfaceCall.of("GET").header("x-sim-caller", "agent-7");
    workspace.fetch("catalog", "/products", named);
    workspace.fetch("catalog", "/products");
    List<JournalEntry> found = workspace.requests().verify(Verification.of().caller("agent-7").times(1));
    assertEquals("agent-7", found.get(0).caller().name());
    assertEquals(
        """
        Expected 1 or more calls by agent-8; found 0.
        Nearest calls:
          req_n GET /workspace/public/v1/products 200: caller is missing, expected agent-8
          req_n GET /workspace/public/v1/products 200: caller is "agent-7", expected agent-8""",
        failureOf(workspace, Verification.of().caller("agent-8")));
  }

  @Test
  void explainsTheNearestCalls(Workspace workspace) {
    order(workspace, 1300);
    workspace.fetch("catalog", "/products");
    assertEquals(
        """
        Expected 1 or more calls of payments to POST /payment-links with body {"amount":1250}; found 0.
        Nearest calls:
          req_n POST /pay/v1/payment-links 201: body.amount is 1300, expected 1250
          req_n GET /workspace/public/v1/products 200: interface is "catalog", expected payments; \
        method is "GET", expected POST; path is "/workspace/public/v1/products", expected /payment-links; \
        body is null, expected {"amount":1250}""",
        failureOf(workspace, ofLinks().body(Map.of("amount", 1250))));
  }

  @Test
  void listsTheMatchingCallsIfTheirNumberIsWrong(Workspace workspace) {
    order(workspace, 1300);
    assertEquals(
        """
        Expected no calls with status 201; found 1.
        Matching calls, newest first:
          req_n POST /pay/v1/payment-links 201""",
        failureOf(workspace, Verification.of().status("201").times(0)));
    assertEquals(
        "Expected exactly 2 calls; found 1.",
        failureOf(workspace, Verification.of().times(2)).lines().findFirst().orElseThrow());
  }

  @Test
  void countsCallsWithCutOffBodiesAsNotCheckable(Workspace workspace) {
    Map<String, ?> large = Map.of("name", "x".repeat(20_000), "email", "ana@example.com");
    // The journal has calls whether the interface accepts them or not.
    workspace.fetch("crm", "/contacts", large);
    Map<String, ?> body = Map.of("email", "ana@example.com");
    for (Verification wanted : List.of(contacts().times(0), contacts().times(1), contacts())) {
      String message = failureOf(workspace, wanted.body(body));
      assertTrue(message.contains("; found 0, and 1 with a body that was cut off.\n"), message);
      assertTrue(message.contains(": body has 200"), message);
      assertTrue(message.endsWith(" characters, of which the journal has the first"), message);
    }
    assertEquals(List.of(), workspace.requests().verify(contacts().body(body).between(0, 1)));
    Map<String, ?> query = Map.of("page", "2");
    assertEquals(List.of(), workspace.requests().verify(contacts().body(body).query(query).times(0)));
    assertEquals(1, workspace.requests().verify(contacts().times(1)).size());

    workspace.fetch("crm", "/contacts", body);
    assertEquals(1, workspace.requests().verify(contacts().body(body)).size());
    assertEquals(1, workspace.requests().verify(contacts().body(body).between(1, 2)).size());
    String message = failureOf(workspace, contacts().body(body).times(1));
    assertTrue(message.contains("; found 1, and 1 with a body that was cut off.\n"), message);
  }

  private static Verification contacts() {
    return Verification.of().path("/contacts");
  }

  @Test
  void saysThatThereAreNoCalls(Workspace workspace) {
    assertEquals(
        "Expected 1 or more calls; found 0. The journal of the workspace has no calls.",
        failureOf(workspace, NONE));
  }

  @Test
  void waitsForCallsInTheBackground(Workspace workspace) {
    order(workspace, 1);
    Verification expected = ofLinks().body(Map.of("amount", 1250)).timeout(Duration.ofSeconds(60));
    CompletableFuture<List<JournalEntry>> waiting =
        CompletableFuture.supplyAsync(() -> workspace.requests().verify(expected));
    order(workspace, 2);
    order(workspace, 1250);
    assertEquals(1, waiting.join().size());
    failureOf(workspace, ofLinks().times(9).timeout(Duration.ofMillis(20)));
  }

  @Test
  void refusesImpossibleNumbers() {
    assertThrows(IllegalArgumentException.class, () -> ofLinks().times(-1));
    assertThrows(IllegalArgumentException.class, () -> ofLinks().between(2, 1));
    assertThrows(IllegalArgumentException.class, () -> ofLinks().times(1_001));
    assertEquals(1_000, ofLinks().times(1_000).max());
  }

  private static String difference(Object expected, String json) {
    return Difference.of(expected, Json.parse(json), "body").orElse("");
  }

  @Test
  void comparesJson() {
    Map<String, ?> nested = Map.of("a", List.of(1, Map.of("b", 2.0)));
    assertEquals("", difference(nested, "{\"a\":[1,{\"b\":2,\"c\":3}],\"d\":4}"));
    assertEquals("", difference(Json.parse("{\"a\":[1]}"), "{\"a\":[1],\"b\":2}"));
    assertEquals("body.a has 1 items, expected 2", difference(Map.of("a", List.of(1, 2)), "{\"a\":[1]}"));
    assertEquals("body.a[0] is 2, expected 1", difference(Map.of("a", List.of(1)), "{\"a\":[2]}"));
    assertEquals("body.a is missing, expected 1", difference(Map.of("a", 1), "{}"));
    assertEquals("body is null, expected {\"a\":1}", difference(Map.of("a", 1), "null"));
    assertEquals("body.a is 12, expected \"1\"", difference(Map.of("a", Pattern.compile("1")), "{\"a\":12}"));
    assertEquals("body is \"x\", expected \"y\"", difference("y", "\"x\""));
  }
}
