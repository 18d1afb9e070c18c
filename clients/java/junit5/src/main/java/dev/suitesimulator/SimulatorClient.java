package dev.suitesimulator;

import dev.suitesimulator.ControlPlane.Parts;
import dev.suitesimulator.generated.Access;
import dev.suitesimulator.generated.Backup;
import dev.suitesimulator.generated.Coverage;
import dev.suitesimulator.generated.Health;
import dev.suitesimulator.generated.Operation;
import dev.suitesimulator.generated.Observations;
import dev.suitesimulator.generated.Reading;
import dev.suitesimulator.generated.Trigger;
import dev.suitesimulator.generated.UnmatchedJournalEntry;
import dev.suitesimulator.generated.WorkspaceCreate;
import dev.suitesimulator.json.Json;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A simulator in any process. */
public final class SimulatorClient {
  /** Where the server is without other options. */
  public static final String DEFAULT_URL = "http://127.0.0.1:4012";

  private final ControlPlane control;

  private SimulatorClient(ControlPlane control) {
    this.control = control;
  }

  /**
   * Connects to the simulator at SUITE_SIM_URL, or at {@link #DEFAULT_URL}, with the token in
   * SIM_ADMIN_TOKEN.
   */
  public static SimulatorClient connect() {
    return connect(Environment.variable(Environment.URL).orElse(DEFAULT_URL));
  }

  /** Connects to a simulator with the token in SIM_ADMIN_TOKEN. */
  public static SimulatorClient connect(String url) {
    return connect(url, Environment.variable(Environment.ADMIN_TOKEN).orElse(null));
  }

  /**
   * Connects to a simulator.
   *
   * @param adminToken its {@code --admin-token}; null if it has none
   * @throws SimulatorException with the code "unreachable" if no server responds, or "unexpected_answer" if
   *     another
   *     server does
   */
  public static SimulatorClient connect(String url, String adminToken) {
    if (!isUrl(url)) {
      throw new IllegalArgumentException(url + " must be a URL that starts with http:// or https://");
    }
    SimulatorClient simulator = new SimulatorClient(new ControlPlane(url, adminToken));
    Json health = simulator.call(Operation.GET_LIVENESS, Map.of(), Map.of(), null);
    if (!health.isObject() || !health.find("status").equals(Optional.of(Json.of("ok")))) {
      throw SimulatorException.unexpectedAnswer(200, "The server at " + url + " is not a simulator.");
    }
    return simulator;
  }

  private static boolean isUrl(String url) {
    try {
      URI parsed = URI.create(url);
      return List.of("http", "https").contains(String.valueOf(parsed.getScheme()))
          && parsed.getHost() != null;
    } catch (IllegalArgumentException error) {
      return false;
    }
  }

  /** Returns the URL: "http://127.0.0.1:4012". The interfaces are mounted below it. */
  public String url() {
    return control.url();
  }

  /** Returns the URL of the control plane: {@link #url} and "/_sim". */
  public String adminUrl() {
    return control.adminUrl();
  }

  /** Returns the workspaces. */
  public Workspaces workspaces() {
    return new Workspaces(control);
  }

  /** Creates an empty workspace. */
  public NewWorkspace createWorkspace() {
    return workspaces().create();
  }

  /** Creates a workspace. */
  public NewWorkspace createWorkspace(WorkspaceCreate options) {
    return workspaces().create(options);
  }

  /** Returns the state machines. */
  public Machines machines() {
    return new Machines(control);
  }

  /**
   * Calls any operation of the control plane.
   *
   * @param path the parameters of the path
   * @param query the parameters of the query
   * @param body the request body; null for none
   * @return the answer; {@link Json#NULL} if it has no body
   */
  public Json call(Operation operation, Map<String, ?> path, Map<String, ?> query, Json body) {
    return control.call(operation, new Parts(path, query, body));
  }

  /** Lists all triggers, with the JSON Schemas of body and result. */
  public List<Trigger> triggers() {
    return control.rows(Operation.LIST_TRIGGERS, Parts.NONE, Trigger::from);
  }

  /** Lists the readings: where the specification can be read in several ways. */
  public List<Reading> readings() {
    return control.rows(Operation.LIST_READINGS, Parts.NONE, Reading::from);
  }

  /** Returns what the server follows of the overlay of --observed, and the entries that it ignores. */
  public Observations observed() {
    return Observations.from(control.call(Operation.LIST_OBSERVED, Parts.NONE));
  }

  /** Lists calls without a workspace (unknown or missing key, unknown path), newest first. */
  public List<UnmatchedJournalEntry> unmatched() {
    return unmatched(Map.of()).get("data").list(UnmatchedJournalEntry::from);
  }

  /** Returns as soon as this number of calls without a workspace exists, newest first. */
  public List<UnmatchedJournalEntry> awaitUnmatched(int count, Duration timeout) {
    return Waiting.rows(
        count,
        timeout,
        Map.of(),
        "unmatched requests",
        this::unmatched,
        UnmatchedJournalEntry::from);
  }

  private Json unmatched(Map<String, ?> query) {
    Map<String, Object> all = new HashMap<>(query);
    all.put("unmatched", true);
    return control.call(Operation.LIST_UNMATCHED_REQUESTS, Parts.query(all));
  }

  /** Resets the whole server to its state at the start. */
  public void reset() {
    control.call(Operation.RESET_SERVER, Parts.NONE);
  }

  /** Returns what the token of this client opens: the whole server, or one workspace. */
  public Access access() {
    return Access.from(control.call(Operation.GET_ACCESS, Parts.NONE));
  }

  /**
   * Copies the database and its stored files into a new or empty directory of the machine of the server:
   * an absolute path. Only for programs on that machine.
   */
  public Backup backup(String directory) {
    return Backup.from(control.call(Operation.BACK_UP, Parts.body(Json.of(Map.of("directory", directory)))));
  }

  /** Returns the health; throws a SimulatorException with status 503 while the simulator is unavailable. */
  public Health health() {
    return Health.from(control.call(Operation.GET_HEALTH, Parts.NONE));
  }

  /** Returns the readiness; throws a SimulatorException with status 503 while the server starts or stops. */
  public Health ready() {
    return Health.from(control.call(Operation.GET_READINESS, Parts.NONE));
  }

  /** Returns the coverage of all workspaces since the start of the server, including deleted ones. */
  public Coverage coverage() {
    return Coverage.from(control.call(Operation.GET_SERVER_COVERAGE, Parts.NONE));
  }

  /** Returns the coverage of all workspaces as "text" or "mermaid". */
  public String coverage(String format) {
    return control.text(Operation.GET_SERVER_COVERAGE, Parts.query(Map.of("format", format)));
  }

  /** Returns the metrics for Prometheus. */
  public String metrics() {
    return control.text(Operation.GET_METRICS, Parts.NONE);
  }

  /** Returns the OpenAPI 3.1 document of all interfaces. */
  public Json openapi() {
    return control.call(Operation.GET_OPENAPI, Parts.NONE);
  }

  /** Returns the OpenAPI 3.1 document of an interface, or of "control". */
  public Json openapi(String interfaceName) {
    return control.call(Operation.GET_OPENAPI_OF_INTERFACE, Parts.path(Map.of("interface", interfaceName)));
  }
}
