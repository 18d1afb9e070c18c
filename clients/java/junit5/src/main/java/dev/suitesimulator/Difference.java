package dev.suitesimulator;

import dev.suitesimulator.json.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Compares JSON with an expected value, of which objects may leave out fields. */
final class Difference {
  /** The maximum characters of a value in a message. */
  private static final int LONGEST_SHOWN = 120;

  private Difference() {}

  /**
   * Returns the first difference: "body.amount is 1300, expected 1250".
   *
   * @param expected a Map, a List, a Pattern, or a value
   * @param value null for a missing one
   * @param name the name of the value in the message
   */
  static Optional<String> of(Object expected, Json value, String name) {
    Object wanted = plain(expected);
    if (wanted instanceof Map<?, ?> fields && value != null && value.isObject()) {
      return fields.entrySet().stream()
          .flatMap(
              each ->
                  of(each.getValue(), value.fields().get(each.getKey()), name + "." + each.getKey()).stream())
          .findFirst();
    }
    if (wanted instanceof List<?> items && value != null && value.isArray()) {
      return ofItems(items, value.items(), name);
    }
    boolean isEqual =
        wanted instanceof Pattern pattern
            ? value != null && value.isString() && pattern.matcher(value.asString()).find()
            : Json.of(wanted).equals(value);
    return isEqual
        ? Optional.empty()
        : Optional.of("%s is %s, expected %s".formatted(name, shown(value), shown(Json.of(wanted))));
  }

  /** Returns the fields or items of JSON, which may be part of an expected value. */
  private static Object plain(Object expected) {
    if (!(expected instanceof Json json)) return expected;
    return json.isObject() ? json.fields() : json.isArray() ? json.items() : json;
  }

  private static Optional<String> ofItems(List<?> expected, List<Json> items, String name) {
    if (items.size() != expected.size()) {
      return Optional.of("%s has %d items, expected %d".formatted(name, items.size(), expected.size()));
    }
    for (int index = 0; index < items.size(); index++) {
      Optional<String> found = of(expected.get(index), items.get(index), name + "[" + index + "]");
      if (found.isPresent()) return found;
    }
    return Optional.empty();
  }

  /** Returns a value as a short text. */
  static String shown(Object value) {
    String text = value == null ? "missing" : Json.of(value).toString();
    return text.length() > LONGEST_SHOWN ? text.substring(0, LONGEST_SHOWN) + "…" : text;
  }
}
