package dev.suitesimulator.testcontainers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.suitesimulator.WebhookReceiver;
import dev.suitesimulator.Workspace;
import dev.suitesimulator.junit5.SuiteSimulatorExtension;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Needs Docker, and an image with this name: {@code docker build -t suite-simulator .} in the repository. */
class SuiteSimulatorContainerTest {
  private static final SuiteSimulatorContainer CONTAINER =
      new SuiteSimulatorContainer("suite-simulator").withSeed("java");

  @RegisterExtension
  static final SuiteSimulatorExtension SIMULATOR =
      SuiteSimulatorExtension.builder()
          .client(CONTAINER::connect)
          .receivers(CONTAINER::startReceiver)
          .build();

  @BeforeAll
  static void start() {
    CONTAINER.start();
  }

  @AfterAll
  static void stop() {
    CONTAINER.close();
  }

  @Test
  void sendsWebhooksToThisMachine(Workspace workspace, WebhookReceiver receiver) {
    receiver.subscribe(workspace, "pos", "sale.completed");
    workspace.trigger("pos.event.emit", Map.of("event", "sale.completed"));
    assertTrue(receiver.next("sale.completed").verified());
    assertEquals(200, workspace.fetch("catalog", "/products").status());
  }
}
