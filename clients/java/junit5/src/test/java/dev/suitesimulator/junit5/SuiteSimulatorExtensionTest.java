package dev.suitesimulator.junit5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.suitesimulator.NewWorkspace;
import dev.suitesimulator.SimulatorClient;
import dev.suitesimulator.SimulatorClock;
import dev.suitesimulator.WebhookReceiver;
import dev.suitesimulator.Workspace;
import dev.suitesimulator.generated.RecordSection;
import dev.suitesimulator.generated.WorkspaceSettings;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@WorkspaceOptions(currency = "PAB", timezone = "America/Panama")
@Execution(ExecutionMode.SAME_THREAD)
class SuiteSimulatorExtensionTest {
  @RegisterExtension
  static final SuiteSimulatorExtension SIMULATOR =
      SuiteSimulatorExtension.builder()
          .workspace(options -> options.fixtures("small").currency("USD"))
          .build();

  private static final List<String> USED = new ArrayList<>();

  private static SimulatorClient client;

  private Workspace before;

  @BeforeAll
  static void connect(SimulatorClient simulator) {
    client = simulator;
  }

  @BeforeEach
  void remember(Workspace workspace) {
    before = workspace;
  }

  /** The workspaces of the earlier tests are deleted when their tests have ended. */
  @AfterAll
  static void deletesEachWorkspaceAfterItsTest() {
    List<String> left = client.workspaces().list().stream().map(WorkspaceSettings::id).toList();
    assertTrue(USED.size() > 2);
    assertTrue(USED.stream().noneMatch(left::contains));
  }

  private static void use(Workspace workspace) {
    assertFalse(USED.contains(workspace.id()));
    USED.add(workspace.id());
  }

  @Test
  void givesATestOneWorkspace(
      NewWorkspace workspace,
      Workspace same,
      SimulatorClock clock,
      SimulatorClient simulator,
      TestInfo info) {
    use(workspace);
    assertSame(workspace, same);
    assertEquals(before.id(), workspace.id());
    clock.freeze();
    assertTrue(workspace.clock().get().frozen());
    assertEquals(client.url(), simulator.url());
    assertEquals("SuiteSimulatorExtensionTest: " + info.getDisplayName(), workspace.name());
  }

  @Test
  @DisplayName("names \ud800 the\nworkspace after any test")
  void namesTheWorkspaceAfterAnyTest(Workspace workspace) {
    assertEquals("SuiteSimulatorExtensionTest: names ? the workspace after any test", workspace.name());
  }

  @RepeatedTest(2)
  void givesEachRepetitionAnotherWorkspace(Workspace workspace) {
    use(workspace);
  }

  @Test
  void givesATestOneReceiver(WebhookReceiver receiver, WebhookReceiver same) {
    assertSame(receiver, same);
  }

  private static long links(Workspace workspace) {
    return workspace.records().sections().stream()
        .filter(each -> each.section().equals("payments.links"))
        .mapToLong(RecordSection::count)
        .sum();
  }

  @Test
  void appliesTheOptionsOfTheClassOverThoseOfTheExtension(Workspace workspace) {
    assertEquals("PAB", workspace.currency());
    assertEquals("America/Panama", workspace.timezone());
    assertTrue(links(workspace) > 0);
  }

  @Test
  @WorkspaceOptions(fixtures = "none", currency = "MXN", name = "Empty")
  void appliesTheOptionsOfTheMethodOverThoseOfTheClass(Workspace workspace) {
    assertEquals("MXN", workspace.currency());
    assertEquals("America/Panama", workspace.timezone());
    assertEquals("Empty", workspace.name());
    assertEquals(0, links(workspace));
  }

  @Nested
  @WorkspaceOptions(timezone = "Europe/Madrid")
  class InAnotherTimezone {
    @Test
    void appliesTheOptionsOfTheNestedClassOverThoseOfItsEnclosingClass(Workspace workspace) {
      assertEquals("PAB", workspace.currency());
      assertEquals("Europe/Madrid", workspace.timezone());
    }
  }
}
