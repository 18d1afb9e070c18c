package dev.suitesimulator.junit5;

import dev.suitesimulator.SimulatorClient;
import dev.suitesimulator.SimulatorProcess;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;

/**
 * Where an extension finds its simulator. Equal sources share one.
 *
 * @param url the URL of a running simulator; null for the one at SUITE_SIM_URL, or else a process
 * @param adminToken the token for that URL; null for SIM_ADMIN_TOKEN
 * @param client a function that returns the client; null for none
 * @param command the command that starts a simulator; empty for the default
 * @param arguments more arguments of the command
 */
record SimulatorSource(
    String url,
    String adminToken,
    Supplier<SimulatorClient> client,
    List<String> command,
    List<String> arguments) {

  static final SimulatorSource DEFAULT = new SimulatorSource(null, null, null, List.of(), List.of());

  /** A connected simulator, and the process that ends with it if the extension started one. */
  record Connected(SimulatorClient client, SimulatorProcess process) implements CloseableResource {
    @Override
    public void close() {
      if (process != null) process.close();
    }
  }

  Connected connect() {
    if (client != null) return new Connected(client.get(), null);
    if (url != null) {
      return new Connected(
          adminToken == null ? SimulatorClient.connect(url) : SimulatorClient.connect(url, adminToken), null);
    }
    String running = System.getenv().getOrDefault("SUITE_SIM_URL", "");
    if (!running.isEmpty()) return new Connected(SimulatorClient.connect(), null);
    SimulatorProcess process =
        command.isEmpty()
            ? SimulatorProcess.start(arguments.toArray(String[]::new))
            : SimulatorProcess.start(command, arguments);
    return new Connected(process.connect(), process);
  }
}
