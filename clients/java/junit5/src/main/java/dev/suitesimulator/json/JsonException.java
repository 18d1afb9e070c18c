package dev.suitesimulator.json;

/** A text that is not JSON, or a value that has another type than expected. */
public final class JsonException extends RuntimeException {
  private static final long serialVersionUID = 1;

  JsonException(String message) {
    super(message);
  }

  JsonException(String message, Throwable cause) {
    super(message, cause);
  }
}
