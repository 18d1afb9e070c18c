package dev.suitesimulator;

import dev.suitesimulator.json.Json;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/** Waits until enough rows exist; the server responds as soon as they do. */
final class Waiting {
  /** How long a wait lasts without another timeout. */
  static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

  /** The longest wait of one call. The server allows 300 seconds. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(240);

  private Waiting() {}

  /**
   * Repeats long polls until the result is enough or the timeout has passed. The poll gets its wait in
   * seconds.
   */
  static <Found> Found until(
      Duration timeout,
      Function<String, Found> poll,
      Predicate<Found> isEnough,
      Function<Found, String> timeoutMessage) {
    Duration left = timeout;
    for (;;) {
      Duration wait = left.compareTo(LONGEST_WAIT) < 0 ? left : LONGEST_WAIT;
      Found found = poll.apply(seconds(wait));
      if (isEnough.test(found)) return found;
      left = left.minus(wait);
      if (left.isZero() || left.isNegative()) {
        throw new SimulatorException(SimulatorException.TIMEOUT, timeoutMessage.apply(found));
      }
    }
  }

  /**
   * Returns the rows as soon as `count` match, newest first. The server explains a wait that has ended
   * without enough rows.
   */
  static <Row> List<Row> rows(
      int count,
      Duration timeout,
      Map<String, ?> filter,
      String what,
      Function<Map<String, ?>, Json> poll,
      Function<Json, Row> read) {
    Json found = until(
        timeout,
        wait -> {
          Map<String, Object> query = new LinkedHashMap<>(filter);
          query.put("wait", wait);
          query.put("count", count);
          return poll.apply(query);
        },
        answer -> answer.get("data").items().size() >= count,
        answer ->
            "Waited %s s for %d %s %s; received %d.%s"
                .formatted(
                    seconds(timeout),
                    count,
                    what,
                    Json.of(filter),
                    answer.get("data").items().size(),
                    answer.find("explanation").map(each -> " " + each.asString()).orElse("")));
    return found.get("data").list(read);
  }

  /** Returns seconds without trailing zeros: "10", "0.25". */
  static String seconds(Duration duration) {
    return BigDecimal.valueOf(duration.toMillis(), 3).stripTrailingZeros().toPlainString();
  }
}
