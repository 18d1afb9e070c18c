package dev.suitesimulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.suitesimulator.generated.Delivery;
import dev.suitesimulator.generated.DeliveryFilter;
import dev.suitesimulator.generated.FaultCreate;
import dev.suitesimulator.generated.WorkspaceChange;
import dev.suitesimulator.json.Json;
import dev.suitesimulator.junit5.SuiteSimulatorExtension;
import dev.suitesimulator.junit5.WorkspaceOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SuiteSimulatorExtension.class)
class WebhookReceiverTest {
  private static final Duration SHORT = Duration.ofMillis(20);
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Sends a webhook as a simulator would, and returns the status. */
  private static int send(WebhookReceiver to, byte[] body, Map<String, String> headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(to.url())).POST(BodyPublishers.ofByteArray(body));
    headers.forEach(request::header);
    return HTTP.send(request.build(), BodyHandlers.discarding()).statusCode();
  }

  private static int sendEvent(WebhookReceiver to, String event) throws Exception {
    Json body = Json.object("id", event, "event", event, "data", Map.of("n", 1));
    return send(to, bytes(body.toString()), Map.of("x-service-event", event));
  }

  @Test
  void acceptsOnlyTheSignatureOfTheseBytesWithThisSecret() {
    byte[] body = bytes("{\"id\":\"é\"}");
    String signature = WebhookSignature.of(body, "one");
    assertTrue(WebhookSignature.isValid(body, signature, "one"));
    assertFalse(WebhookSignature.isValid(body, signature, "two"));
    assertFalse(WebhookSignature.isValid(bytes("{\"id\":\"é\"} "), signature, "one"));
    assertFalse(WebhookSignature.isValid(body, signature.toUpperCase(Locale.ROOT), "one"));
    assertFalse(WebhookSignature.isValid(body, signature.substring(0, 20), "one"));
    assertFalse(WebhookSignature.isValid(body, null, "one"));
    // RFC 4231, test case 2.
    assertEquals(
        "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
        WebhookSignature.of(bytes("what do ya want for nothing?"), "Jefe"));
  }

  @Test
  void receivesVerifiedWebhooks(Workspace workspace, WebhookReceiver receiver) {
    receiver.subscribe(workspace, "pos");
    workspace.trigger("pos.event.emit", Map.of("event", "sale.completed"));
    ReceivedWebhook webhook = receiver.next("sale.completed");
    assertTrue(webhook.verified());
    assertEquals(1, webhook.attempt());
    assertEquals(200, webhook.status());
    assertEquals(webhook.payload().get("data"), webhook.data());
    assertEquals(webhook.payload(), Json.parse(webhook.body()));
    assertEquals(webhook.payload().get("id").asString(), webhook.id());
    assertEquals("application/json", webhook.headers().get("content-type"));
  }

  @Test
  @WorkspaceOptions(fixtures = "small")
  void readsWebhooksWithoutAnEnvelope(Workspace workspace, WebhookReceiver receiver) {
    workspace.update(WorkspaceChange.of().readings(Map.of("conversations.webhook_payload", "flat")));
    receiver.subscribe(workspace, "conversations", "contact_created");
    workspace.trigger(
        "conversations.message.receive",
        Map.of("inbox_id", 1, "content", "Hello", "contact", Map.of("name", "Marta")));
    ReceivedWebhook webhook = receiver.next("contact_created");
    assertEquals("Marta", webhook.data().get("name").asString());
    assertEquals(webhook.payload(), webhook.data());
    assertEquals(workspace.deliveries().await(1).get(0).id(), webhook.id());
  }

  @Test
  void refusesWrongSignatures() throws Exception {
    try (WebhookReceiver receiver = WebhookReceiver.start().trust("one").trust("two")) {
      byte[] body = bytes("{\"id\":\"a\",\"event\":\"sale.completed\",\"data\":{}}");
      String wrong = WebhookSignature.of(body, "three");
      assertEquals(401, send(receiver, body, Map.of("x-service-signature", wrong)));
      assertEquals(401, send(receiver, body, Map.of()));
      SimulatorException error =
          assertThrows(SimulatorException.class, () -> receiver.next(null, SHORT));
      assertEquals(SimulatorException.TIMEOUT, error.code());
      assertEquals(
          "Waited 0.02 s for another webhook. Received in all: sale.completed (wrong signature), "
              + "sale.completed (wrong signature).",
          error.getMessage());
      assertEquals(
          200, send(receiver, body, Map.of("x-service-signature", WebhookSignature.of(body, "two"))));
      assertTrue(receiver.next().verified());
      assertEquals(
          List.of(false, false, true),
          receiver.received().stream().map(ReceivedWebhook::verified).toList());
    }
  }

  @Test
  void returnsEachWebhookOnceFromNextAndAllFromAwait(WebhookReceiver receiver) throws Exception {
    CompletableFuture<List<ReceivedWebhook>> waiting =
        CompletableFuture.supplyAsync(() -> receiver.await(2, "sale.completed"));
    for (String event : List.of("sale.completed", "sale.refunded", "sale.completed")) {
      assertEquals(200, sendEvent(receiver, event));
    }
    assertEquals(2, waiting.join().size());
    assertEquals("sale.refunded", receiver.next("sale.refunded").id());
    ReceivedWebhook one = receiver.next();
    assertNull(one.verified());
    assertNotSame(one, receiver.next());
    assertEquals(
        "Waited 0.02 s for another webhook sale.refunded. Received in all: sale.completed, sale.refunded, "
            + "sale.completed.",
        assertThrows(SimulatorException.class, () -> receiver.next("sale.refunded", SHORT)).getMessage());
    assertEquals(3, receiver.await(3).size());
    receiver.clear();
    assertEquals(
        "Waited 0.02 s for 1 webhooks. Received in all: nothing.",
        assertThrows(SimulatorException.class, () -> receiver.await(1, null, SHORT)).getMessage());
  }

  @Test
  void returnsDifferentWebhooksToSimultaneousCallers(WebhookReceiver receiver) throws Exception {
    CompletableFuture<ReceivedWebhook> one = CompletableFuture.supplyAsync(receiver::next);
    CompletableFuture<ReceivedWebhook> other = CompletableFuture.supplyAsync(receiver::next);
    sendEvent(receiver, "one");
    sendEvent(receiver, "other");
    assertEquals(Set.of("one", "other"), Set.of(one.join().event(), other.join().event()));
  }

  @Test
  void answersWithTheChosenStatusSoThatTheSimulatorRetries(
      Workspace workspace, WebhookReceiver receiver, SimulatorClock clock) {
    receiver.answerWith(503);
    receiver.subscribe(workspace, "pos", "sale.completed");
    workspace.trigger("pos.event.emit", Map.of("event", "sale.completed"));
    assertEquals(503, receiver.next().status());
    receiver.answerWith(webhook -> webhook.attempt() == 2 ? 500 : 204);
    clock.advance("PT10S");
    assertEquals(500, receiver.next().status());
    clock.advance("PT10M");
    assertEquals(3, receiver.next().attempt());
    assertEquals(
        1, receiver.received().stream().map(ReceivedWebhook::id).collect(Collectors.toSet()).size());
    Delivery delivery =
        workspace.deliveries().await(1, DeliveryFilter.of().event("sale.completed")).get(0);
    assertEquals(
        List.of(503L, 500L, 204L),
        delivery.attempts().stream().map(Delivery.Attempt::status).toList());
  }

  @Test
  void closesTheConnectionIfTheAnswerThrows(WebhookReceiver receiver) {
    receiver.answerWith(
        webhook -> {
          throw new IllegalStateException("no answer");
        });
    assertThrows(IOException.class, () -> sendEvent(receiver, "sale.completed"));
    assertEquals(List.of(), receiver.received());
  }

  @Test
  void keepsTheTextOfATruncatedWebhook(Workspace workspace, WebhookReceiver receiver) {
    receiver.subscribe(workspace, "pos");
    workspace.faults().add(FaultCreate.of().delivery("truncate").times(1));
    workspace.trigger("pos.event.emit", Map.of("event", "sale.completed"));
    workspace.deliveries().await(1, DeliveryFilter.of().status("pending"));
    assertThrows(SimulatorException.class, () -> receiver.next(null, SHORT));
    // The clock sends the retry, which is whole, after the truncated attempt.
    workspace.clock().advance("PT1M");
    assertEquals(2, receiver.next().attempt());
    ReceivedWebhook truncated = receiver.received().get(0);
    assertFalse(truncated.verified());
    assertEquals("sale.completed", truncated.event());
    assertEquals(Json.object(), truncated.payload());
    assertEquals(401, truncated.status());
  }

  @Test
  void listensOnTheNetworkUnderAnotherName() throws Exception {
    try (WebhookReceiver receiver = WebhookReceiver.start("localhost")) {
      assertEquals("http://localhost:" + receiver.port() + "/webhooks", receiver.url());
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.2:" + receiver.port()))
              .POST(BodyPublishers.noBody())
              .build();
      assertEquals(200, HTTP.send(request, BodyHandlers.discarding()).statusCode());
    }
  }

  @Test
  void cannotBeReachedAfterItWasClosed() throws Exception {
    WebhookReceiver receiver = WebhookReceiver.start();
    assertEquals(200, sendEvent(receiver, "one"));
    receiver.close();
    assertThrows(IOException.class, () -> sendEvent(receiver, "two"));
  }
}
