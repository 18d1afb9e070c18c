package dev.suitesimulator.junit5;

import dev.suitesimulator.Workspace;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Fails, because a workspace belongs to one test. */
@ExtendWith(SuiteSimulatorExtension.class)
class MisplacedExample {
  @BeforeAll
  static void beforeAll(Workspace workspace) {}

  @Test
  void neverRuns() {}
}
