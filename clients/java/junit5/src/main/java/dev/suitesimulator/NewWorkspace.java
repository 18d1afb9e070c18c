package dev.suitesimulator;

import dev.suitesimulator.generated.CreatedWorkspace;
import dev.suitesimulator.generated.User;

/**
 * A new workspace, which {@link #close} deletes:
 * {@code try (NewWorkspace workspace = simulator.createWorkspace())}.
 */
public final class NewWorkspace extends Workspace implements AutoCloseable {
  private final User user;
  private final String controlToken;

  NewWorkspace(ControlPlane control, CreatedWorkspace created) {
    super(control, created.workspace(), created.key());
    this.user = created.user();
    this.controlToken = created.controlToken();
  }

  /** Returns the owner of the key. */
  public User user() {
    return user;
  }

  /**
   * Returns the token that opens the control calls of this workspace and no others:
   * {@code SimulatorClient.connect(url, workspace.controlToken())}.
   */
  public String controlToken() {
    return controlToken;
  }

  /** Deletes the workspace with all its data. Does nothing if it was already deleted. */
  @Override
  public void close() {
    try {
      delete();
    } catch (SimulatorException error) {
      if (!error.code().equals("not_found")) throw error;
    }
  }
}
