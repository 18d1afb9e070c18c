package dev.suitesimulator.junit5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.suitesimulator.WebhookReceiver;
import dev.suitesimulator.Workspace;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Fails: test/clients/java.test.ts reads its report. Maven does not run it, because of its name. */
@ExtendWith(SuiteSimulatorExtension.class)
class FailingExample {
  @Test
  void failsAfterCalls(Workspace workspace, WebhookReceiver receiver) {
    receiver.subscribe(workspace, "pos", "sale.completed");
    workspace.fetch("payments", "/payment-links", Map.of("amount", 1250, "curency", "USD"));
    workspace.trigger("pos.event.emit", Map.of("event", "sale.completed"));
    receiver.next("sale.completed");
    workspace.deliveries().await(1);
    assertEquals(404, workspace.fetch("catalog", "/products/none").status());
    assertEquals("expected", "actual");
  }

  @Test
  void failsWithoutAWorkspace() {
    fail("needs no simulator");
  }

  @Test
  void isAborted(Workspace workspace) {
    workspace.fetch("crm", "/contacts");
    abort("not here");
  }

  @Test
  void failsAfterItsWorkspaceWasDeleted(Workspace workspace) {
    workspace.delete();
    fail("after the deletion");
  }

  @Nested
  class Before {
    @BeforeEach
    void failsBefore(Workspace workspace) {
      workspace.fetch("crm", "/deals");
      fail("before the test");
    }

    @Test
    void neverRuns() {}
  }

  @Nested
  class After {
    @Test
    void fails(Workspace workspace) {
      workspace.fetch("recruiting", "/vacancies");
      fail("in the test");
    }

    @AfterEach
    void failsAfter() {
      fail("after the test");
    }
  }
}
