package dev.suitesimulator;

import dev.suitesimulator.generated.Counts;
import dev.suitesimulator.generated.Coverage;
import dev.suitesimulator.generated.CreatedWorkspace;
import dev.suitesimulator.generated.Diff;
import dev.suitesimulator.generated.GroupedHint;
import dev.suitesimulator.generated.InterfaceAccess;
import dev.suitesimulator.generated.Operation;
import dev.suitesimulator.generated.Reach;
import dev.suitesimulator.generated.Reached;
import dev.suitesimulator.generated.RecordingCreate;
import dev.suitesimulator.generated.ScreenNow;
import dev.suitesimulator.generated.SearchResults;
import dev.suitesimulator.generated.TimelineFilter;
import dev.suitesimulator.generated.TimelineItem;
import dev.suitesimulator.generated.WorkspaceChange;
import dev.suitesimulator.generated.WorkspaceClone;
import dev.suitesimulator.generated.WorkspaceSettings;
import dev.suitesimulator.json.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** One workspace, isolated from all others. */
public class Workspace {
  private final ControlPlane control;
  private final WorkspaceSettings settings;
  private final String key;

  Workspace(ControlPlane control, WorkspaceSettings settings, String key) {
    this.control = control;
    this.settings = settings;
    this.key = key;
  }

  /** Returns the id. */
  public String id() {
    return settings.id();
  }

  /** Returns the name. */
  public String name() {
    return settings.name();
  }

  /** Returns the key, which works for all interfaces with all scopes. */
  public String key() {
    return key;
  }

  /** Returns the account number of the conversations interface. */
  public long accountId() {
    return settings.accountId();
  }

  /** Returns the currency at the start: "USD". */
  public String currency() {
    return settings.currency();
  }

  /** Returns the time zone at the start: "UTC". */
  public String timezone() {
    return settings.timezone();
  }

  /** Returns the same workspace with another of its keys. */
  public Workspace withKey(String otherKey) {
    return new Workspace(control, settings, otherKey);
  }

  /** Returns the clock. */
  public SimulatorClock clock() {
    return new SimulatorClock(control, id());
  }

  /** Returns the records. */
  public Records records() {
    return new Records(control, id());
  }

  /** Returns the webhook deliveries. */
  public Deliveries deliveries() {
    return new Deliveries(control, id());
  }

  /** Returns what the built-in receiver got. */
  public Inbox inbox() {
    return new Inbox(control, id());
  }

  /** Returns the e-mails. */
  public Emails emails() {
    return new Emails(control, id());
  }

  /** Returns the request journal. */
  public Requests requests() {
    return new Requests(control, id());
  }

  /** Returns the faults. */
  public Faults faults() {
    return new Faults(control, id());
  }

  /** Returns the webhook subscriptions. */
  public Subscriptions subscriptions() {
    return new Subscriptions(control, id());
  }

  /** Returns the snapshots. */
  public Snapshots snapshots() {
    return new Snapshots(control, id());
  }

  /** Returns the recordings. */
  public Recordings recordings() {
    return new Recordings(control, id());
  }

  /** Returns the keys. */
  public Keys keys() {
    return new Keys(control, id());
  }

  /** Returns the users. */
  public Users users() {
    return new Users(control, id());
  }

  private Part part() {
    return clock();
  }

  /** Runs a trigger without a body. */
  public Json trigger(String name) {
    return trigger(name, Map.of());
  }

  /**
   * Simulates an action by a user, a device or an authority outside the interfaces, and returns its result:
   * {@code trigger("payments.link.pay", Map.of("link_id", id))}.
   */
  public Json trigger(String name, Map<String, ?> body) {
    return control.call(Operation.PULL_TRIGGER, part().at("name", name).withBody(Json.of(body)));
  }

  /**
   * Puts a new record into a state, and returns it with the way there as code: {@code
   * reach(Reach.of("payments.refunds", "failed"))}.
   */
  public Reached reach(Reach wanted) {
    return Reached.from(control.call(Operation.REACH, part().at().withBody(wanted.toJson())));
  }

  /** Returns the current settings. */
  public WorkspaceSettings get() {
    return WorkspaceSettings.from(control.call(Operation.GET_WORKSPACE, part().at()));
  }

  /** Updates the settings: {@code update(WorkspaceChange.of().progression("manual"))}. */
  public WorkspaceSettings update(WorkspaceChange change) {
    return WorkspaceSettings.from(
        control.call(Operation.UPDATE_WORKSPACE, part().at().withBody(change.toJson())));
  }

  /** Resets the records to those at creation. Keys and id stay. */
  public void reset() {
    control.call(Operation.RESET_WORKSPACE, part().at());
  }

  /** Deletes the workspace with all its data. */
  public void delete() {
    control.call(Operation.DELETE_WORKSPACE, part().at());
  }

  /** Creates a workspace with the same records, files and clock. */
  public NewWorkspace cloneWorkspace() {
    return cloneWorkspace(WorkspaceClone.of());
  }

  /** Creates a workspace with the same records, files and clock, and another name. */
  public NewWorkspace cloneWorkspace(WorkspaceClone options) {
    Json created = control.call(Operation.CLONE_WORKSPACE, part().at().withBody(options.toJson()));
    return new NewWorkspace(control, CreatedWorkspace.from(created));
  }

  /** Lists hints for callers, grouped. */
  public List<GroupedHint> hints() {
    return control.rows(Operation.LIST_HINTS, part().at(), GroupedHint::from);
  }

  /** Lists hints for callers, and behavior that the specification leaves open. */
  public List<GroupedHint> hintsWithAssumptions() {
    return control.rows(
        Operation.LIST_HINTS, part().at().withQuery(Map.of("assumed", true)), GroupedHint::from);
  }

  /** Lists the newest items of the timeline with their causes. */
  public List<TimelineItem> timeline() {
    return timeline(TimelineFilter.of());
  }

  /** Lists the timeline with causes, newest first. */
  public List<TimelineItem> timeline(TimelineFilter filter) {
    return control.rows(Operation.GET_TIMELINE, part().at().withQuery(filter.toMap()), TimelineItem::from);
  }

  /** Returns what changed since the workspace was created. */
  public Diff changes() {
    return Diff.from(control.call(Operation.GET_DIFF, part().at()));
  }

  /** Returns what changed since a named snapshot. */
  public Diff changesSince(String snapshot) {
    return Diff.from(control.call(Operation.GET_DIFF, part().at().withQuery(Map.of("from", snapshot))));
  }

  /** Starts a recording of what changes the workspace. */
  public StartedRecording record() {
    return record(RecordingCreate.of());
  }

  /** Starts a recording with a name. */
  public StartedRecording record(RecordingCreate options) {
    Json started = control.call(Operation.START_RECORDING, part().at().withBody(options.toJson()));
    return new StartedRecording(recordings(), started.get("id").asString());
  }

  /** Streams the later items of the timeline. The stream is open when this method returns. */
  public TimelineStream stream() {
    return new TimelineStream(control.stream(Operation.STREAM_TIMELINE, part().at()));
  }

  /** Returns the called operations, the moves and the sent events, including those that never occurred. */
  public Coverage coverage() {
    return Coverage.from(control.call(Operation.GET_COVERAGE, part().at()));
  }

  /** Returns the coverage as "text" or "mermaid". */
  public String coverage(String format) {
    return control.text(Operation.GET_COVERAGE, part().at().withQuery(Map.of("format", format)));
  }

  /** Finds a text in calls, e-mails, deliveries and records, newest first in each kind. */
  public SearchResults search(String text) {
    return SearchResults.from(
        control.call(Operation.SEARCH_WORKSPACE, part().at().withQuery(Map.of("q", text))));
  }

  /** Returns the numbers of calls, hints, deliveries, e-mails and records; each is at most 1,000. */
  public Counts counts() {
    return Counts.from(control.call(Operation.GET_COUNTS, part().at()));
  }

  /** Returns what a signage screen plays now. */
  public ScreenNow screenNow(String screenId) {
    return ScreenNow.from(control.call(Operation.GET_SCREEN_NOW, part().at("screen_id", screenId)));
  }

  /** Returns the URL of an interface: "http://127.0.0.1:4012/pay/v1". */
  public String urlOf(String interfaceName) {
    return control.url() + accessOf(interfaceName).basePath();
  }

  /** Returns the key header of an interface: {@code {authorization=Bearer ...}}. */
  public Map<String, String> headersOf(String interfaceName) {
    String header = accessOf(interfaceName).header();
    return header == null
        ? Map.of("authorization", "Bearer " + key)
        : Map.of(header.toLowerCase(Locale.ROOT), key);
  }

  /** Reads from an interface with the key: {@code fetch("catalog", "/products?limit=2")}. */
  public Answer fetch(String interfaceName, String path) {
    return fetch(interfaceName, path, InterfaceCall.of("GET"));
  }

  /**
   * Posts JSON to an interface with the key:
   * {@code fetch("payments", "/payment-links", Map.of("amount", 1250))}.
   */
  public Answer fetch(String interfaceName, String path, Map<String, ?> json) {
    return fetch(interfaceName, path, InterfaceCall.of("POST").json(json));
  }

  /**
   * Calls an interface with the key: {@code fetch("catalog", "/products/" + id, InterfaceCall.of("DELETE"))}.
   * Does not follow redirects.
   *
   * @throws IllegalArgumentException if the interface does not exist, or if the path does not start with a
   *     slash or
   *     contains "." or ".." segments
   */
  public Answer fetch(String interfaceName, String path, InterfaceCall call) {
    InterfaceAccess access = accessOf(interfaceName);
    Paths.check(interfaceName, path);
    return control.fetch(access.basePath() + path, call, headersOf(interfaceName));
  }

  private static InterfaceAccess accessOf(String name) {
    for (InterfaceAccess each : InterfaceAccess.values()) {
      if (each.title().equals(name)) return each;
    }
    List<String> names = Arrays.stream(InterfaceAccess.values()).map(InterfaceAccess::title).toList();
    String hint =
        NearestName.of(name, names)
            .map(near -> "did you mean \"" + near + "\"?")
            .orElseGet(() -> "the interfaces are " + String.join(", ", names));
    throw new IllegalArgumentException("there is no interface \"" + name + "\"; " + hint);
  }

  /** Returns name and id. */
  @Override
  public String toString() {
    return "workspace " + id();
  }
}
