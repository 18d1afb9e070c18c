package dev.suitesimulator;

import dev.suitesimulator.json.Json;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.LinkedHashMap;
import java.util.Map;

/** The method, headers and body of a call to an interface: {@code InterfaceCall.of("PATCH").json(fields)}. */
public final class InterfaceCall {
  private final String method;
  private final Map<String, String> headers = new LinkedHashMap<>();
  private BodyPublisher body = BodyPublishers.noBody();

  private InterfaceCall(String method) {
    this.method = method;
  }

  /** Returns a call with a method: "GET". */
  public static InterfaceCall of(String method) {
    return new InterfaceCall(method);
  }

  /** Sets a header, which replaces the same header of the key. */
  public InterfaceCall header(String name, String value) {
    headers.put(name, value);
    return this;
  }

  /** Sets a JSON body: a Map, a List, a Json or another value that {@link Json#of} takes. */
  public InterfaceCall json(Object value) {
    return body("application/json", Json.of(value).toString());
  }

  /** Sets a body of text in UTF-8. */
  public InterfaceCall body(String contentType, String text) {
    return body(contentType, BodyPublishers.ofString(text));
  }

  /** Sets any body. */
  public InterfaceCall body(String contentType, BodyPublisher publisher) {
    body = publisher;
    headers.putIfAbsent("content-type", contentType);
    return this;
  }

  String method() {
    return method;
  }

  Map<String, String> headers() {
    return headers;
  }

  BodyPublisher body() {
    return body;
  }
}
