package dev.suitesimulator;

import dev.suitesimulator.ControlPlane.Parts;
import dev.suitesimulator.generated.FoundRecord;
import dev.suitesimulator.generated.Operation;
import dev.suitesimulator.generated.RecordPage;
import dev.suitesimulator.generated.RecordSection;
import dev.suitesimulator.generated.RecordWithState;
import dev.suitesimulator.json.Json;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The records of a workspace. */
public final class Records extends Part {
  Records(ControlPlane control, String workspaceId) {
    super(control, workspaceId);
  }

  /** Lists the sets of records with their sizes. */
  public List<RecordSection> sections() {
    return control.rows(Operation.LIST_RECORD_SECTIONS, at(), RecordSection::from);
  }

  /** Returns the first page of a set: "payments.links". */
  public RecordPage list(String section) {
    return RecordPage.from(control.call(Operation.LIST_RECORDS, at("section", section)));
  }

  /**
   * Returns a page of a set.
   *
   * @param limit the maximum number of records
   * @param cursor the {@code nextCursor} of the previous page; null for the first page
   */
  public RecordPage list(String section, int limit, String cursor) {
    Map<String, Object> query = new HashMap<>();
    query.put("limit", limit);
    query.put("cursor", cursor);
    return RecordPage.from(control.call(Operation.LIST_RECORDS, at("section", section).withQuery(query)));
  }

  /** Finds records of all sections by their id or another key; several are separated by commas. */
  public List<FoundRecord> find(String id) {
    return find(Map.of("id", id));
  }

  /** Finds records of all sections by a part of their id, key or title. */
  public List<FoundRecord> findText(String text) {
    return find(Map.of("text", text));
  }

  private List<FoundRecord> find(Map<String, ?> query) {
    return control.rows(Operation.FIND_RECORDS, at().withQuery(query), FoundRecord::from);
  }

  /** Returns a record with its state, its next moves and its history. */
  public RecordWithState get(String section, String recordId) {
    return get(section, recordId, Map.of());
  }

  private RecordWithState get(String section, String recordId, Map<String, ?> query) {
    Parts parts = at("section", section, "recordId", recordId).withQuery(query);
    return RecordWithState.from(control.call(Operation.GET_RECORD, parts));
  }

  /** Returns a record as soon as a field has a value: "status", "paid". Waits up to ten seconds. */
  public RecordWithState await(String section, String recordId, String field, String value) {
    return await(section, recordId, field, value, Waiting.DEFAULT_TIMEOUT);
  }

  /**
   * Returns a record as soon as a field has a value.
   *
   * @throws SimulatorException with the code "timeout", and the value that the field has
   */
  public RecordWithState await(
      String section, String recordId, String field, String value, Duration timeout) {
    return Waiting.until(
        timeout,
        wait -> get(section, recordId, Map.of("until", field + ":" + value, "wait", wait)),
        found -> valueOf(found, field).equals(value),
        found ->
            "Waited %s s for %s of %s %s to be %s; it is %s."
                .formatted(
                    Waiting.seconds(timeout), field, section, recordId, value, valueOf(found, field)));
  }

  private static String valueOf(RecordWithState found, String field) {
    return found.record().fields().getOrDefault(field, Json.NULL).asText();
  }
}
