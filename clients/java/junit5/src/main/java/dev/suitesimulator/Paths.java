package dev.suitesimulator;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Fills in the parameters of paths, and checks the paths of callers. */
final class Paths {
  private static final Pattern PARAMETER = Pattern.compile("\\{(\\w+)}");

  /** A server resolves these segments, so the call would reach another path. */
  private static final Pattern DOTS = Pattern.compile("\\.{1,2}");

  private Paths() {}

  /** Fills in the parameters of a template, each as one segment: "/workspaces/{id}/clock". */
  static String fill(String template, Map<String, ?> values) {
    return PARAMETER
        .matcher(template)
        .replaceAll(found -> Matcher.quoteReplacement(segment(found.group(1), values.get(found.group(1)))));
  }

  private static String segment(String name, Object value) {
    if (value == null) throw SimulatorException.invalid(name, "is required");
    String text = value.toString();
    if (text.isEmpty()) throw SimulatorException.invalid(name, "must not be empty");
    if (DOTS.matcher(text).matches()) {
      throw SimulatorException.invalid(name, "must not be \"" + text + "\", which leads to another path");
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
      throw SimulatorException.invalid(name, "must be well-formed Unicode");
    }
    return encode(text);
  }

  /**
   * Returns "?name=value&amp;..."; "" without values. Null values are left out. A list is several parameters.
   */
  static String query(Map<String, ?> values) {
    String query =
        values.entrySet().stream()
            .filter(each -> each.getValue() != null)
            .flatMap(
                each ->
                    (each.getValue() instanceof Collection<?> several ? several : List.of(each.getValue()))
                        .stream().map(value -> encode(each.getKey()) + "=" + encode(value.toString())))
            .collect(Collectors.joining("&"));
    return query.isEmpty() ? "" : "?" + query;
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** Throws if a path does not begin with a slash, or if a server would resolve a part of it. */
  static void check(String interfaceName, String path) {
    String call = "fetch(\"" + interfaceName + "\", \"" + path + "\"): ";
    if (!path.startsWith("/")) throw new IllegalArgumentException(call + "path must begin with /");
    for (String segment : path.split("[?#]", 2)[0].split("/")) {
      if (DOTS.matcher(segment.replaceAll("(?i)%2e", ".")).matches()) {
        throw new IllegalArgumentException(
            call + "path must not contain \"" + segment + "\", which leads to another path");
      }
    }
  }
}
