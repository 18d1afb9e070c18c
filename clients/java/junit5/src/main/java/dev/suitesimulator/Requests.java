package dev.suitesimulator;

import dev.suitesimulator.generated.JournalEntry;
import dev.suitesimulator.generated.Operation;
import dev.suitesimulator.generated.RequestFilter;
import dev.suitesimulator.generated.WholeJournalEntry;
import dev.suitesimulator.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The request journal of a workspace: the calls of its interfaces. */
public final class Requests extends Part {
  Requests(ControlPlane control, String workspaceId) {
    super(control, workspaceId);
  }

  /** Lists the newest requests. */
  public List<JournalEntry> list() {
    return list(Map.of());
  }

  /** Lists requests, newest first: {@code list(RequestFilter.of().status("4xx"))}. */
  public List<JournalEntry> list(RequestFilter filter) {
    return list(filter.toMap());
  }

  private List<JournalEntry> list(Map<String, ?> query) {
    return answer(query).get("data").list(JournalEntry::from);
  }

  private Json answer(Map<String, ?> query) {
    return control.call(Operation.LIST_REQUESTS, at().withQuery(query));
  }

  /** Returns as soon as this number of requests was made, newest first. Waits up to ten seconds. */
  public List<JournalEntry> await(int count) {
    return await(count, RequestFilter.of());
  }

  /** Returns as soon as this number of matching requests was made. */
  public List<JournalEntry> await(int count, RequestFilter filter) {
    return await(count, filter, Waiting.DEFAULT_TIMEOUT);
  }

  /**
   * Returns as soon as this number of matching requests was made.
   *
   * @throws SimulatorException with the code "timeout", and the number of those that match
   */
  public List<JournalEntry> await(int count, RequestFilter filter, Duration timeout) {
    return Waiting.rows(count, timeout, filter.toMap(), "requests", this::answer, JournalEntry::from);
  }

  /**
   * Checks that the expected calls were made, and returns them, newest first:
   * {@code verify(Verification.of().method("POST").path("/payment-links").times(1))}.
   *
   * @throws SimulatorException with the code "verification_failed", the nearest calls and what differs
   */
  public List<JournalEntry> verify(Verification expected) {
    return new RequestVerifier(this::list, expected).verify();
  }

  /** Returns a request with its hints and effects. */
  public WholeJournalEntry get(String requestId) {
    return WholeJournalEntry.from(control.call(Operation.GET_REQUEST, at("requestId", requestId)));
  }

  /** Returns a request as a shell command. */
  public String curl(String requestId) {
    return as("curl", requestId);
  }

  /** Returns a request as an HTTP archive (HAR 1.2). */
  public Json har(String requestId) {
    return Json.parse(as("har", requestId));
  }

  private String as(String format, String requestId) {
    return control.text(Operation.GET_REQUEST, at("requestId", requestId).withQuery(Map.of("as", format)));
  }

  /** Deletes all entries. */
  public void clear() {
    control.call(Operation.DELETE_REQUESTS, at());
  }
}
