package dev.suitesimulator;

import dev.suitesimulator.generated.Operation;
import dev.suitesimulator.generated.SavedSnapshot;
import dev.suitesimulator.generated.SavedSnapshotCreate;
import dev.suitesimulator.json.Json;
import java.util.List;

/** The snapshots of a workspace: named ones on the server, and the current records. */
public final class Snapshots extends Part {
  Snapshots(ControlPlane control, String workspaceId) {
    super(control, workspaceId);
  }

  /** Saves the current records under a name. */
  public SavedSnapshot save(String name) {
    return SavedSnapshot.from(
        control.call(Operation.SAVE_SNAPSHOT, at().withBody(SavedSnapshotCreate.of(name).toJson())));
  }

  /** Lists the saved snapshots. */
  public List<SavedSnapshot> list() {
    return control.rows(Operation.LIST_SNAPSHOTS, at(), SavedSnapshot::from);
  }

  /** Replaces all records by those of a saved snapshot. */
  public void restore(String name) {
    control.call(Operation.RESTORE_SNAPSHOT, at("name", name));
  }

  /** Deletes a saved snapshot. */
  public void delete(String name) {
    control.call(Operation.DELETE_SNAPSHOT, at("name", name));
  }

  /** Returns all records in the format of a fixture file. */
  public Json get() {
    return control.call(Operation.GET_SNAPSHOT, at());
  }

  /** Replaces all records; all or none. */
  public void put(Json snapshot) {
    control.call(Operation.PUT_SNAPSHOT, at().withBody(snapshot));
  }
}
