package dev.suitesimulator.junit5;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.suitesimulator.SimulatorClient;
import dev.suitesimulator.Workspace;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs without SUITE_SIM_URL: the extension starts one simulator for all classes. */
@ExtendWith(SuiteSimulatorExtension.class)
class StartedExample {
  private static final Set<String> URLS = ConcurrentHashMap.newKeySet();

  @RepeatedTest(2)
  void uses(SimulatorClient simulator, Workspace workspace) {
    assertEquals(200, workspace.fetch("catalog", "/products").status());
    URLS.add(simulator.url());
  }

  @Nested
  class InAnotherClass {
    @RepeatedTest(2)
    void usesTheSame(SimulatorClient simulator, Workspace workspace) {
      assertEquals(200, workspace.fetch("crm", "/contacts").status());
      URLS.add(simulator.url());
    }
  }

  @AfterAll
  static void startedOne() {
    assertEquals(1, URLS.size());
    System.out.println("started: " + URLS.iterator().next());
  }
}
