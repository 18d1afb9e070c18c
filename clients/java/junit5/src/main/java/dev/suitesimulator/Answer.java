package dev.suitesimulator;

import dev.suitesimulator.json.Json;
import dev.suitesimulator.json.JsonException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The answer of an interface. */
public final class Answer {
  private final HttpResponse<byte[]> response;

  Answer(HttpResponse<byte[]> response) {
    this.response = response;
  }

  /** Returns the status: 201. */
  public int status() {
    return response.statusCode();
  }

  /** Returns the first value of a header, in any case. */
  public Optional<String> header(String name) {
    return response.headers().firstValue(name);
  }

  /** Returns all headers, with names in lower case. */
  public Map<String, List<String>> headers() {
    return response.headers().map();
  }

  /** Returns the body as text in UTF-8. */
  public String text() {
    return new String(response.body(), StandardCharsets.UTF_8);
  }

  /** Returns the body. */
  public byte[] bytes() {
    return response.body().clone();
  }

  /**
   * Returns the body as JSON.
   *
   * @throws JsonException if it is not JSON
   */
  public Json json() {
    return Json.parse(text());
  }

  /** Returns status and body, for messages of assertions. */
  @Override
  public String toString() {
    return status() + " " + text();
  }
}
