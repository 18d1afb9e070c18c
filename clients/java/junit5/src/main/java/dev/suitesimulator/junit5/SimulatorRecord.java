package dev.suitesimulator.junit5;

import dev.suitesimulator.SimulatorException;
import dev.suitesimulator.Workspace;
import dev.suitesimulator.generated.Delivery;
import dev.suitesimulator.generated.DeliveryFilter;
import dev.suitesimulator.generated.GroupedHint;
import dev.suitesimulator.generated.JournalEntry;
import dev.suitesimulator.generated.RequestFilter;
import dev.suitesimulator.json.JsonException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What the simulator recorded in a failed test. It is shown as a suppressed exception of the failure. */
final class SimulatorRecord extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** The number of rows of each kind that are shown. */
  private static final int MAX_ROWS = 20;

  /** The number of rows that are counted. */
  private static final int LIMIT = 1_000;

  private static final int MAX_LENGTH = 300;

  private SimulatorRecord(String message) {
    // Without a stack trace, which would be that of the extension.
    super(message, null, false, false);
  }

  static SimulatorRecord of(Workspace workspace) {
    try {
      return new SimulatorRecord(describe(workspace));
    } catch (SimulatorException | JsonException error) {
      return new SimulatorRecord("the record of " + workspace + " could not be read: " + error.getMessage());
    }
  }

  private static String describe(Workspace workspace) {
    List<String> lines = new ArrayList<>();
    lines.add("Suite Simulator, workspace %s (%s):".formatted(workspace.id(), workspace.name()));
    List<JournalEntry> calls = workspace.requests().list(RequestFilter.of().limit(LIMIT));
    List<Delivery> deliveries = workspace.deliveries().list(DeliveryFilter.of().limit(LIMIT));
    addRows(lines, "Calls", newest(calls), calls.size(), SimulatorRecord::describe);
    List<GroupedHint> hints = workspace.hints();
    List<GroupedHint> firstHints = hints.subList(0, Math.min(hints.size(), MAX_ROWS));
    addRows(lines, "Hints", firstHints, hints.size(), SimulatorRecord::describe);
    addRows(lines, "Deliveries", newest(deliveries), deliveries.size(), SimulatorRecord::describe);
    return String.join("\n", lines);
  }

  /** Returns the newest rows, oldest first. */
  private static <Row> List<Row> newest(List<Row> newestFirst) {
    List<Row> rows = new ArrayList<>(newestFirst.subList(0, Math.min(newestFirst.size(), MAX_ROWS)));
    Collections.reverse(rows);
    return rows;
  }

  private static <Row> void addRows(
      List<String> lines, String title, List<Row> rows, int count, Function<Row, String> describe) {
    String more = count > rows.size() ? ", without %d more:".formatted(count - rows.size()) : ":";
    lines.add("  " + title + (rows.isEmpty() ? ": none" : more));
    rows.forEach(row -> lines.add("    " + shortened(describe.apply(row))));
  }

  private static String describe(JournalEntry call) {
    String refusal =
        call.refusal() == null ? "" : " %s: %s".formatted(call.refusal().reason(), call.refusal().message());
    String fault = call.fault() == null ? "" : " (injected fault)";
    return call.method() + " " + call.path() + " " + call.status() + refusal + fault;
  }

  private static String describe(GroupedHint hint) {
    String count = hint.count() > 1 ? " (" + hint.count() + " times)" : "";
    return hint.code() + ": " + hint.message() + count;
  }

  private static String describe(Delivery delivery) {
    String attempts =
        delivery.attempts().stream()
            .map(each -> each.error() == null ? "answered " + each.status() : each.error())
            .collect(Collectors.joining(", "));
    return "%s to %s: %s, %s"
        .formatted(
            delivery.event(),
            delivery.url(),
            delivery.status(),
            attempts.isEmpty() ? "no attempt" : attempts);
  }

  /** Returns one line, because a message may have several. */
  private static String shortened(String text) {
    String line = text.replaceAll("\\s+", " ");
    return line.length() <= MAX_LENGTH ? line : line.substring(0, MAX_LENGTH) + "…";
  }
}
