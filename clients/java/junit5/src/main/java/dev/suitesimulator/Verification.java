package dev.suitesimulator;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The calls that the code under test is expected to make:
 * {@code Verification.of().method("POST").path("/payment-links").body(Map.of("amount", 1250)).times(1)}. What
 * is not set matches anything.
 *
 * <p>Objects of an expected body may leave out fields; arrays must have the same length. A
 * {@link java.util.regex.Pattern} matches any text in which it is found.
 */
public final class Verification {
  /** What the server compares, by the name of the filter. */
  private final Map<String, String> filters = new LinkedHashMap<>();

  /** What the client compares: query, headers and body. */
  private final Map<String, Object> parts = new LinkedHashMap<>();

  private int min = 1;
  private int max = Integer.MAX_VALUE;
  private Duration timeout = Duration.ZERO;

  private Verification() {}

  /** Returns an expectation of one or more calls. */
  public static Verification of() {
    return new Verification();
  }

  /** Expects calls of an interface: "payments". */
  public Verification interfaceName(String interfaceName) {
    filters.put("interface", interfaceName);
    return this;
  }

  /** Expects calls of an operation: "createPaymentLink". */
  public Verification operation(String operation) {
    filters.put("operation", operation);
    return this;
  }

  /** Expects calls with a method: "POST". */
  public Verification method(String method) {
    filters.put("method", method);
    return this;
  }

  /** Expects calls to a path, full or relative to the base path. * matches any segment. */
  public Verification path(String path) {
    filters.put("path", path);
    return this;
  }

  /** Expects calls with a response status, or a class of them: "201", "4xx". */
  public Verification status(String status) {
    filters.put("status", status);
    return this;
  }

  /** Expects calls of a caller, by its name in X-Sim-Caller: "agent-7". */
  public Verification caller(String caller) {
    filters.put("caller", caller);
    return this;
  }

  /** Expects these parameters in the query. */
  public Verification query(Map<String, ?> query) {
    parts.put("query", query);
    return this;
  }

  /** Expects these headers, whose names can be in any case. */
  public Verification headers(Map<String, ?> headers) {
    Map<String, Object> lowercase = new LinkedHashMap<>();
    headers.forEach((name, value) -> lowercase.put(name.toLowerCase(Locale.ROOT), value));
    parts.put("headers", lowercase);
    return this;
  }

  /** Expects this in the body: a Map, a List, a Pattern or a value. */
  public Verification body(Object body) {
    parts.put("body", body);
    return this;
  }

  /** Expects exactly this number of calls. */
  public Verification times(int count) {
    return between(count, count);
  }

  /** Expects at least and at most these numbers of calls. */
  public Verification between(int least, int most) {
    if (least < 0 || most < least || least > RequestVerifier.LIMIT) {
      throw new IllegalArgumentException(
          "the number of calls must be from 0 to %d, and the least at most the greatest"
              .formatted(RequestVerifier.LIMIT));
    }
    min = least;
    max = most;
    return this;
  }

  /** Waits up to this time for calls that are made in the background. */
  public Verification timeout(Duration chosen) {
    timeout = chosen;
    return this;
  }

  Map<String, String> filters() {
    return filters;
  }

  Map<String, Object> parts() {
    return parts;
  }

  int min() {
    return min;
  }

  int max() {
    return max;
  }

  Duration timeout() {
    return timeout;
  }
}
