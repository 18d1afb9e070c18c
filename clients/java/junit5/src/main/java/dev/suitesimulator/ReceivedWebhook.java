package dev.suitesimulator;

import com.sun.net.httpserver.Headers;
import dev.suitesimulator.json.Json;
import dev.suitesimulator.json.JsonException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A received webhook.
 *
 * @param id the same id in every attempt: that of the envelope, or else of the delivery (X-Service-Delivery)
 * @param event the name of the event: "payment.completed"
 * @param data the event data; the whole body if it has no envelope
 * @param payload the whole body; an empty object if it is not a JSON object, such as a truncated body
 * @param body the signed bytes as text
 * @param headers the headers, with names in lower case
 * @param attempt the number of the attempt, from 1
 * @param verified whether one of the secrets signed it; null for a receiver without secrets
 * @param status the status of the response; 0 before the response
 */
public record ReceivedWebhook(
    String id,
    String event,
    Json data,
    Json payload,
    String body,
    Map<String, String> headers,
    int attempt,
    Boolean verified,
    int status) {

  static ReceivedWebhook read(byte[] bytes, Headers received, Boolean verified) {
    Map<String, String> headers = new TreeMap<>();
    received.forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), String.join(", ", values)));
    String body = new String(bytes, StandardCharsets.UTF_8);
    Json payload = parseObject(body);
    return new ReceivedWebhook(
        // The id of a body without an envelope is that of its record, a number.
        textOf(payload, "id", headers.getOrDefault("x-service-delivery", "")),
        headers.getOrDefault("x-service-event", textOf(payload, "event", "")),
        payload.find("data").filter(data -> data.isObject() || data.isArray()).orElse(payload),
        payload,
        body,
        Map.copyOf(headers),
        attemptOf(headers.get("x-service-attempt")),
        verified,
        0);
  }

  ReceivedWebhook withStatus(int answered) {
    return new ReceivedWebhook(id, event, data, payload, body, headers, attempt, verified, answered);
  }

  /** Returns false if the signature is wrong. Webhooks that were not checked are acceptable. */
  boolean isAcceptable() {
    return !Boolean.FALSE.equals(verified);
  }

  private static String textOf(Json payload, String field, String otherwise) {
    return payload.find(field).filter(Json::isString).map(Json::asString).orElse(otherwise);
  }

  private static int attemptOf(String header) {
    return header != null && header.matches("[0-9]{1,9}") ? Integer.parseInt(header) : 1;
  }

  private static Json parseObject(String text) {
    try {
      Json value = Json.parse(text);
      return value.isObject() ? value : Json.object();
    } catch (JsonException error) {
      return Json.object();
    }
  }
}
