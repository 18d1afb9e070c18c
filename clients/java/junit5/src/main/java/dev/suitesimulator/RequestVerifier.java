package dev.suitesimulator;

import dev.suitesimulator.generated.JournalEntry;
import dev.suitesimulator.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Checks that a caller made the expected calls, and explains the nearest ones if it did not. */
final class RequestVerifier {
  /** The journal has no more calls. */
  static final int LIMIT = 1_000;

  /** The maximum number of calls that a message describes. */
  private static final int MAX_NEAREST = 3;

  /** The maximum number of calls that are compared to find the nearest. */
  private static final int MAX_COMPARED = 200;

  private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

  private final Function<Map<String, ?>, List<JournalEntry>> list;
  private final Verification expected;

  RequestVerifier(Function<Map<String, ?>, List<JournalEntry>> list, Verification expected) {
    this.list = list;
    this.expected = expected;
  }

  /** Returns the matching calls, newest first; throws if their number is not the expected one. */
  List<JournalEntry> verify() {
    List<JournalEntry> found = list(expected.filters(), LIMIT);
    long end = System.nanoTime() + expected.timeout().toNanos();
    while (matching(found).size() < expected.min() && found.size() < LIMIT) {
      Duration left = Duration.ofNanos(end - System.nanoTime());
      if (left.isNegative() || left.isZero()) break;
      // Returns as soon as one more call exists, which the parts may rule out.
      Map<String, Object> query = new HashMap<>(expected.filters());
      query.put("wait", Waiting.seconds(left.compareTo(LONGEST_WAIT) < 0 ? left : LONGEST_WAIT));
      query.put("count", found.size() + 1);
      list.apply(query);
      found = list(expected.filters(), LIMIT);
    }
    List<JournalEntry> matching = matching(found);
    long uncertain = found.stream().filter(this::isUncertain).count();
    if (matching.size() >= expected.min() && matching.size() + uncertain <= expected.max()) return matching;
    throw new SimulatorException(SimulatorException.VERIFICATION_FAILED, failureOf(matching, uncertain));
  }

  private List<JournalEntry> list(Map<String, String> filters, int limit) {
    Map<String, Object> query = new HashMap<>(filters);
    query.put("limit", limit);
    return list.apply(query);
  }

  private List<JournalEntry> matching(List<JournalEntry> entries) {
    return entries.stream().filter(entry -> differencesOfParts(entry).isEmpty()).toList();
  }

  /** True if only the rest of its body, which the journal does not have, tells whether a call matches. */
  private boolean isUncertain(JournalEntry entry) {
    return expected.parts().containsKey("body")
        && entry.request().cutFrom() != null
        && differencesOf(entry, part -> !part.equals("body")).isEmpty();
  }

  private List<String> differencesOfParts(JournalEntry entry) {
    return differencesOf(entry, part -> true);
  }

  private List<String> differencesOf(JournalEntry entry, Predicate<String> isCompared) {
    return expected.parts().entrySet().stream()
        .filter(part -> isCompared.test(part.getKey()))
        .flatMap(part -> differenceOf(part.getKey(), part.getValue(), entry.request()).stream())
        .toList();
  }

  private static Optional<String> differenceOf(String part, Object wanted, JournalEntry.Request request) {
    return switch (part) {
      case "query" -> Difference.of(wanted, request.query(), part);
      case "headers" -> Difference.of(wanted, Json.of(request.headers()), part);
      default ->
          request.cutFrom() == null
              ? Difference.of(wanted, request.body(), part)
              : Optional.of(
                  "body has %d characters, of which the journal has the first".formatted(request.cutFrom()));
    };
  }

  private String failureOf(List<JournalEntry> matching, long uncertain) {
    List<String> lines = new ArrayList<>();
    String others = uncertain == 0 ? "" : ", and %d with a body that was cut off".formatted(uncertain);
    lines.add("Expected %s%s; found %d%s.".formatted(timesText(), callText(), matching.size(), others));
    if (matching.isEmpty()) {
      List<String> nearest = nearest();
      if (nearest.isEmpty()) return lines.get(0) + " The journal of the workspace has no calls.";
      lines.add("Nearest calls:");
      lines.addAll(nearest);
    } else {
      lines.add("Matching calls, newest first:");
      matching.stream().limit(MAX_NEAREST).map(RequestVerifier::lineOf).forEach(lines::add);
    }
    return String.join("\n", lines);
  }

  private record Compared(JournalEntry entry, List<String> differences) {}

  /** Returns the calls with the fewest differences, each with its differences. */
  private List<String> nearest() {
    // The server decides what a path pattern and a class of statuses match.
    Map<String, Set<String>> ids = new HashMap<>();
    expected
        .filters()
        .forEach(
            (name, value) ->
                ids.put(
                    name,
                    list(Map.of(name, value), LIMIT).stream()
                        .map(JournalEntry::id)
                        .collect(Collectors.toSet())));
    return list(Map.of(), MAX_COMPARED).stream()
        .map(entry -> new Compared(entry, differencesOf(entry, ids)))
        .sorted(Comparator.comparing(each -> each.differences().size()))
        .limit(MAX_NEAREST)
        .map(each -> lineOf(each.entry()) + ": " + String.join("; ", each.differences()))
        .toList();
  }

  private List<String> differencesOf(JournalEntry entry, Map<String, Set<String>> ids) {
    List<String> differences = new ArrayList<>();
    expected
        .filters()
        .forEach(
            (name, wanted) -> {
              if (ids.get(name).contains(entry.id())) return;
              differences.add(
                  "%s is %s, expected %s".formatted(name, Difference.shown(fieldOf(entry, name)), wanted));
            });
    differences.addAll(differencesOfParts(entry));
    return differences;
  }

  private static Object fieldOf(JournalEntry entry, String name) {
    return switch (name) {
      case "interface" -> entry.interfaceName();
      case "operation" -> entry.operation();
      case "method" -> entry.method();
      case "path" -> entry.path();
      case "caller" -> entry.caller() == null ? null : entry.caller().name();
      default -> entry.status();
    };
  }

  private static String lineOf(JournalEntry entry) {
    return "  %s %s %s %d".formatted(entry.id(), entry.method(), entry.path(), entry.status());
  }

  private String timesText() {
    int min = expected.min();
    int max = expected.max();
    if (max == 0) return "no calls";
    if (min == max) return min == 1 ? "exactly 1 call" : "exactly " + min + " calls";
    if (max == Integer.MAX_VALUE) return min + " or more calls";
    return min == 0 ? "at most " + max + " calls" : min + " to " + max + " calls";
  }

  private String callText() {
    Map<String, String> filters = expected.filters();
    StringBuilder text = new StringBuilder();
    if (filters.containsKey("interface")) text.append(" of ").append(filters.get("interface"));
    if (filters.containsKey("operation")) text.append(" of operation ").append(filters.get("operation"));
    if (filters.containsKey("caller")) text.append(" by ").append(filters.get("caller"));
    String call =
        Stream.of("method", "path")
            .filter(filters::containsKey)
            .map(filters::get)
            .collect(Collectors.joining(" "));
    if (!call.isEmpty()) text.append(" to ").append(call);
    if (filters.containsKey("status")) text.append(" with status ").append(filters.get("status"));
    String parts =
        expected.parts().entrySet().stream()
            .map(part -> part.getKey() + " " + Difference.shown(part.getValue()))
            .collect(Collectors.joining(" and "));
    return parts.isEmpty() ? text.toString() : text + " with " + parts;
  }
}
