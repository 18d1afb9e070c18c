package dev.suitesimulator;

import dev.suitesimulator.generated.Operation;
import dev.suitesimulator.generated.User;
import dev.suitesimulator.generated.UserCreate;

/** The users of a workspace. */
public final class Users extends Part {
  Users(ControlPlane control, String workspaceId) {
    super(control, workspaceId);
  }

  /** Adds a user. */
  public User create(String name, String email) {
    UserCreate user = UserCreate.of(name, email);
    return User.from(control.call(Operation.CREATE_USER, at().withBody(user.toJson())));
  }
}
