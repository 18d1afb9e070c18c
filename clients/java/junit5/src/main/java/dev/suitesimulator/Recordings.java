package dev.suitesimulator;

import dev.suitesimulator.generated.Operation;
import dev.suitesimulator.generated.Recording;
import dev.suitesimulator.json.Json;
import java.util.List;

/** The recordings of what changes a workspace. */
public final class Recordings extends Part {
  Recordings(ControlPlane control, String workspaceId) {
    super(control, workspaceId);
  }

  /** Lists the recordings, oldest first. */
  public List<Recording> list() {
    return control.rows(Operation.LIST_RECORDINGS, at(), Recording::from);
  }

  /** Returns the status of a recording and its number of steps. */
  public Recording get(String recordingId) {
    return Recording.from(control.call(Operation.GET_RECORDING, at("recordingId", recordingId)));
  }

  /** Stops a recording, and returns the file for suite-sim replay; that of a stopped one again. */
  public Json stop(String recordingId) {
    return control.call(Operation.STOP_RECORDING, at("recordingId", recordingId));
  }

  /** Deletes a recording, also while it is running. */
  public void delete(String recordingId) {
    control.call(Operation.DELETE_RECORDING, at("recordingId", recordingId));
  }
}
