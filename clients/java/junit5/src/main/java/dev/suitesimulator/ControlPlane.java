package dev.suitesimulator;

import dev.suitesimulator.generated.ControlError;
import dev.suitesimulator.generated.Operation;
import dev.suitesimulator.json.Json;
import dev.suitesimulator.json.JsonException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Calls one control plane. */
final class ControlPlane {
  /** Longer than the longest wait that the server allows. */
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(330);

  private final HttpClient http =
      HttpClient.newBuilder()
          // Not HTTP/2: its upgrade header would be part of every recorded call.
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(10))
          .build();

  private final String url;
  private final String adminToken;

  ControlPlane(String url, String adminToken) {
    this.url = url.replaceFirst("/$", "");
    this.adminToken = adminToken;
  }

  String url() {
    return url;
  }

  String adminUrl() {
    return url + "/_sim";
  }

  /** The parts of a call. A part that the operation does not have stays empty. */
  record Parts(Map<String, ?> path, Map<String, ?> query, Json body) {
    static final Parts NONE = path(Map.of());

    static Parts path(Map<String, ?> path) {
      return new Parts(path, Map.of(), null);
    }

    static Parts query(Map<String, ?> query) {
      return new Parts(Map.of(), query, null);
    }

    static Parts body(Json body) {
      return new Parts(Map.of(), Map.of(), body);
    }

    Parts withQuery(Map<String, ?> more) {
      return new Parts(path, more, body);
    }

    Parts withBody(Json sent) {
      return new Parts(path, query, sent);
    }
  }

  /** Calls an operation and returns its JSON; null if it answers without a body. */
  Json call(Operation operation, Parts parts) {
    HttpResponse<byte[]> response = send(operation, parts, BodyHandlers.ofByteArray());
    String text = textOf(response);
    if (text.isEmpty()) return Json.NULL;
    try {
      return Json.parse(text);
    } catch (JsonException error) {
      throw notASimulator(operation, response.statusCode(), text);
    }
  }

  /** Calls an operation and returns the rows under "data". */
  <Row> List<Row> rows(Operation operation, Parts parts, Function<Json, Row> read) {
    return call(operation, parts).get("data").list(read);
  }

  /** Calls an operation that answers with a text. */
  String text(Operation operation, Parts parts) {
    return textOf(send(operation, parts, BodyHandlers.ofByteArray()));
  }

  /** Calls an operation that answers with a file. */
  byte[] bytes(Operation operation, Parts parts) {
    return send(operation, parts, BodyHandlers.ofByteArray()).body();
  }

  /** Calls an operation whose answer does not end. The caller closes it. */
  InputStream stream(Operation operation, Parts parts) {
    return send(operation, parts, BodyHandlers.ofInputStream()).body();
  }

  private <Body> HttpResponse<Body> send(Operation operation, Parts parts, BodyHandler<Body> handler) {
    String path = Paths.fill(operation.path(), parts.path()) + Paths.query(parts.query());
    HttpRequest.Builder request = requestTo(adminUrl() + path);
    if (adminToken != null) request.header("authorization", "Bearer " + adminToken);
    if (parts.body() == null) {
      request.method(operation.method(), BodyPublishers.noBody());
    } else {
      request.header("content-type", "application/json");
      request.method(operation.method(), BodyPublishers.ofString(parts.body().toString()));
    }
    HttpResponse<Body> response = exchange(request.build(), handler);
    if (response.statusCode() >= 300) throw refusal(operation, response);
    return response;
  }

  /** Calls an interface. */
  Answer fetch(String path, InterfaceCall call, Map<String, String> keyHeaders) {
    HttpRequest.Builder request = requestTo(url + path).method(call.method(), call.body());
    keyHeaders.forEach(request::setHeader);
    call.headers().forEach(request::setHeader);
    return new Answer(exchange(request.build(), BodyHandlers.ofByteArray()));
  }

  private static HttpRequest.Builder requestTo(String url) {
    return HttpRequest.newBuilder(URI.create(url)).timeout(ANSWER_TIMEOUT);
  }

  private <Body> HttpResponse<Body> exchange(HttpRequest request, BodyHandler<Body> handler) {
    try {
      return http.send(request, handler);
    } catch (IOException error) {
      String message = "No simulator responds at " + adminUrl() + ": " + reasonOf(error);
      throw new SimulatorException(SimulatorException.UNREACHABLE, message, error);
    } catch (InterruptedException error) {
      throw SimulatorException.interrupted(error);
    }
  }

  /** The JDK gives no message if a connection is refused or a host has no address. */
  private static String reasonOf(IOException error) {
    for (Throwable each = error; each != null; each = each.getCause()) {
      if (each instanceof UnresolvedAddressException) return "the host has no address";
      if (each.getMessage() != null) return each.getMessage();
    }
    return error instanceof ConnectException ? "the connection was refused" : error.toString();
  }

  private static String textOf(HttpResponse<byte[]> response) {
    return new String(response.body(), StandardCharsets.UTF_8);
  }

  private static SimulatorException refusal(Operation operation, HttpResponse<?> response) {
    String text = bodyOf(response.body());
    try {
      ControlError answer = ControlError.from(Json.parse(text));
      return SimulatorException.ofAnswer(response.statusCode(), answer.error());
    } catch (JsonException error) {
      return notASimulator(operation, response.statusCode(), text);
    }
  }

  private static String bodyOf(Object body) {
    try {
      byte[] bytes = body instanceof InputStream stream ? stream.readAllBytes() : (byte[]) body;
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException error) {
      return "";
    }
  }

  private static SimulatorException notASimulator(Operation operation, int status, String text) {
    String start = text.substring(0, Math.min(text.length(), 200));
    String call = operation.method() + " " + operation.path();
    return SimulatorException.unexpectedAnswer(
        status, call + " got " + status + " from a server that is not a simulator: " + start);
  }
}
