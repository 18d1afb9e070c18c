package dev.suitesimulator;

import dev.suitesimulator.generated.Recording;
import dev.suitesimulator.json.Json;

/** A recording that was started here. */
public final class StartedRecording {
  private final Recordings recordings;
  private final String id;

  StartedRecording(Recordings recordings, String id) {
    this.recordings = recordings;
    this.id = id;
  }

  /** Returns the id. */
  public String id() {
    return id;
  }

  /** Returns its status and its number of steps. */
  public Recording get() {
    return recordings.get(id);
  }

  /** Stops it, and returns the file for suite-sim replay. */
  public Json stop() {
    return recordings.stop(id);
  }

  /** Deletes it, also while it is running. */
  public void delete() {
    recordings.delete(id);
  }
}
