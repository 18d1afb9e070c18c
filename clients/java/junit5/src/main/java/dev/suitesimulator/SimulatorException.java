package dev.suitesimulator;

import dev.suitesimulator.generated.ControlError;
import java.util.List;

/**
 * A refused call or a timeout. The code is the control plane's, such as "not_found" and "validation_error",
 * or one of the constants of this class.
 */
public final class SimulatorException extends RuntimeException {
  /** No server responds at the URL. */
  public static final String UNREACHABLE = "unreachable";

  /** The server at the URL is not a simulator. */
  public static final String UNEXPECTED_ANSWER = "unexpected_answer";

  /** The expected records or webhooks did not appear. */
  public static final String TIMEOUT = "timeout";

  /** The code under test did not make the expected calls. */
  public static final String VERIFICATION_FAILED = "verification_failed";

  /** The thread was interrupted while it waited. */
  public static final String INTERRUPTED = "interrupted";

  /** No simulator could be started. */
  public static final String START_FAILED = "start_failed";

  private static final long serialVersionUID = 1;

  private final String code;
  private final Integer status;
  private final transient List<FieldProblem> details;

  /**
   * An error of one field.
   *
   * @param field "duration"
   */
  public record FieldProblem(String field, String code, String message) {}

  SimulatorException(String code, String message) {
    this(code, message, null, List.of(), null);
  }

  SimulatorException(String code, String message, Throwable cause) {
    this(code, message, null, List.of(), cause);
  }

  private SimulatorException(
      String code, String message, Integer status, List<FieldProblem> details, Throwable cause) {
    super(message, cause);
    this.code = code;
    this.status = status;
    this.details = details;
  }

  static SimulatorException ofAnswer(int status, ControlError.Error error) {
    List<FieldProblem> details =
        error.details() == null
            ? List.of()
            : error.details().stream()
                .map(each -> new FieldProblem(each.field(), each.code(), each.message()))
                .toList();
    return new SimulatorException(error.code(), error.message(), status, details, null);
  }

  static SimulatorException unexpectedAnswer(int status, String message) {
    return new SimulatorException(UNEXPECTED_ANSWER, message, status, List.of(), null);
  }

  static SimulatorException invalid(String field, String rule) {
    List<FieldProblem> details = List.of(new FieldProblem(field, "invalid", rule));
    return new SimulatorException("validation_error", field + " " + rule, null, details, null);
  }

  static SimulatorException interrupted(InterruptedException cause) {
    Thread.currentThread().interrupt();
    return new SimulatorException(INTERRUPTED, "The thread was interrupted.", cause);
  }

  /** Returns the code: "not_found", "timeout". */
  public String code() {
    return code;
  }

  /** Returns the response status; null without a response. */
  public Integer status() {
    return status;
  }

  /** Returns the errors of single fields. */
  public List<FieldProblem> details() {
    return details == null ? List.of() : details;
  }
}
