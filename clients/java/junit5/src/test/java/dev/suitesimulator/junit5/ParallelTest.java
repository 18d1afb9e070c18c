package dev.suitesimulator.junit5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.suitesimulator.ReceivedWebhook;
import dev.suitesimulator.WebhookReceiver;
import dev.suitesimulator.Workspace;
import dev.suitesimulator.json.Json;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Runs all repetitions at the same time if JUnit runs tests in parallel with four threads. */
@ExtendWith(SuiteSimulatorExtension.class)
@Execution(ExecutionMode.CONCURRENT)
class ParallelTest {
  private static final int REPETITIONS = 4;

  /** Opens when every repetition has its workspace, so that all of them exist at the same time. */
  private static final CountDownLatch ALL_STARTED = new CountDownLatch(REPETITIONS);

  private static final Set<String> WORKSPACES = ConcurrentHashMap.newKeySet();

  @RepeatedTest(REPETITIONS)
  void meetsNoOtherTest(Workspace workspace, WebhookReceiver receiver) throws InterruptedException {
    assertTrue(WORKSPACES.add(workspace.id()), "two tests have the same workspace");
    ALL_STARTED.countDown();
    assertTrue(ALL_STARTED.await(60, TimeUnit.SECONDS), "the tests do not run in parallel");

    receiver.subscribe(workspace, "payments", "payment.completed");
    Map<String, ?> order = Map.of("amount", 1250, "currency", "USD", "description", "Desk");
    Json link = workspace.fetch("payments", "/payment-links", order).json().get("data");
    workspace.trigger("payments.link.pay", Map.of("link_id", link.get("id")));
    ReceivedWebhook webhook = receiver.next("payment.completed");
    assertTrue(webhook.body().contains(link.get("id").asString()), webhook.body());

    Json links = workspace.fetch("payments", "/payment-links").json().get("data");
    assertEquals(List.of(link.get("id").asString()), links.list(each -> each.get("id").asString()));
    assertEquals(2, workspace.requests().list().size());
    assertEquals(1, workspace.deliveries().list().size());
    assertEquals(1, receiver.received().size());
  }
}
