package dev.suitesimulator;

import java.util.Optional;

/** The environment variables of the library, which all clients share. */
final class Environment {
  /** The URL of the simulator. */
  static final String URL = "SUITE_SIM_URL";

  /** The token of its control plane. */
  static final String ADMIN_TOKEN = "SIM_ADMIN_TOKEN";

  /** The command that starts a simulator. */
  static final String COMMAND = "SUITE_SIM_COMMAND";

  /** The name of this machine for a simulator elsewhere. */
  static final String WEBHOOK_HOST = "SUITE_SIM_WEBHOOK_HOST";

  private Environment() {}

  /** Returns a variable; none if it is empty, because compose files set unused variables to "". */
  static Optional<String> variable(String name) {
    return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isEmpty());
  }
}
