package dev.suitesimulator;

import dev.suitesimulator.json.Json;
import dev.suitesimulator.json.JsonException;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A simulator that runs as a process, in memory and on a free port. It ends with {@link #close}, and with the
 * JVM at the latest.
 */
public final class SimulatorProcess implements AutoCloseable {
  /** A command in SUITE_SIM_COMMAND may download the package. */
  private static final Duration START_TIMEOUT = Duration.ofMinutes(3);

  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

  private static final List<String> SERVE = List.of("serve", "--port", "0", "--db", ":memory:");

  /**
   * On the network, or with a public URL, the server would require a token of its own. The line with the URL
   * has the level info.
   */
  private static final Map<String, String> VARIABLES =
      Map.of("HOST", "127.0.0.1", "SIM_PUBLIC_URL", "", "LOG_LEVEL", "info");

  /** The number of lines of the output that an error shows. */
  private static final int LAST_LINES = 20;

  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

  private final Process process;
  private final List<String> command;
  private final Deque<String> output = new ArrayDeque<>();
  private final CompletableFuture<String> url = new CompletableFuture<>();
  private final Thread atExit = new Thread(this::kill, "stop-simulator");

  private SimulatorProcess(List<String> command) {
    this.command = command;
    try {
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.environment().putAll(VARIABLES);
      process = builder.start();
    } catch (IOException error) {
      throw new SimulatorException(
          SimulatorException.START_FAILED, "%s failed: %s".formatted(text(), error.getMessage()), error);
    }
    Runtime.getRuntime().addShutdownHook(atExit);
    Thread reader = new Thread(this::read, "simulator-output");
    reader.setDaemon(true);
    reader.start();
  }

  /**
   * Starts the command in SUITE_SIM_COMMAND, or else {@code suite-sim} of the PATH, or {@code npx suite-sim}
   * of an installed package.
   *
   * @param arguments more arguments: "--seed", "ci"
   * @throws SimulatorException with the code "start_failed" and the output of the command
   */
  public static SimulatorProcess start(String... arguments) {
    return start(defaultCommand(), List.of(arguments));
  }

  /**
   * Starts a command.
   *
   * @param command the command without the subcommand {@code serve}: "npx", "suite-sim"
   * @param arguments more arguments: "--seed", "ci"
   * @throws SimulatorException with the code "start_failed" and the output of the command
   */
  public static SimulatorProcess start(List<String> command, List<String> arguments) {
    List<String> all = Stream.of(command, SERVE, arguments).flatMap(Collection::stream).toList();
    SimulatorProcess started = new SimulatorProcess(all);
    try {
      started.url.get(START_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
      return started;
    } catch (InterruptedException error) {
      started.close();
      throw SimulatorException.interrupted(error);
    } catch (ExecutionException | TimeoutException error) {
      started.close();
      throw started.startError(error);
    }
  }

  private SimulatorException startError(Exception error) {
    String reason = error instanceof TimeoutException ? "did not name its URL in time" : "ended";
    return new SimulatorException(
        SimulatorException.START_FAILED, "%s %s:\n%s".formatted(text(), reason, lastLines()), error);
  }

  /** Returns the command that starts a simulator, without the subcommand. */
  private static List<String> defaultCommand() {
    return Environment.variable(Environment.COMMAND)
        .map(SimulatorProcess::words)
        .or(() -> onPath("suite-sim").map(List::of))
        // Otherwise npx would look for a package of this name in the registry, and install it.
        .or(() -> onPath("npx").map(npx -> List.of(npx, "--offline", "--no-install", "suite-sim")))
        .orElseThrow(
            () ->
                new SimulatorException(
                    SimulatorException.START_FAILED,
                    "No simulator found. Set SUITE_SIM_URL to a running one, or SUITE_SIM_COMMAND to the"
                        + " command that starts one (\"npx suite-sim\"), or add suite-sim to the PATH."));
  }

  /** Splits a command at spaces outside of double quotes. */
  private static List<String> words(String text) {
    List<String> words = new ArrayList<>();
    Matcher matcher = WORD.matcher(text);
    while (matcher.find()) words.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
    return words;
  }

  private static Optional<String> onPath(String program) {
    boolean isWindows = System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows");
    String file = isWindows ? program + ".cmd" : program;
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, file))
        .filter(Files::isExecutable)
        .map(Path::toString)
        .findFirst();
  }

  /**
   * Reads the output, because a full pipe would block the server. The first line with a URL completes the
   * start.
   */
  private void read() {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        keep(line);
        String found = urlIn(line);
        if (found != null) url.complete(found);
      }
    } catch (IOException error) {
      keep(error.toString());
    }
    url.completeExceptionally(new IOException("the output ended"));
  }

  /** Returns the URL in a line of the log: {@code {"url": "http://127.0.0.1:4012", ...}}. */
  private static String urlIn(String line) {
    if (!line.startsWith("{")) return null;
    try {
      return Json.parse(line).find("url").filter(Json::isString).map(Json::asString).orElse(null);
    } catch (JsonException error) {
      return null;
    }
  }

  private void keep(String line) {
    synchronized (output) {
      output.add(line);
      if (output.size() > LAST_LINES) output.remove();
    }
  }

  private String lastLines() {
    synchronized (output) {
      return output.isEmpty() ? "(no output)" : String.join("\n", output);
    }
  }

  private String text() {
    return String.join(" ", command);
  }

  /** Returns the URL of the simulator. */
  public String url() {
    return url.join();
  }

  /** Returns a client, which uses the token in SIM_ADMIN_TOKEN, as the process does. */
  public SimulatorClient connect() {
    return SimulatorClient.connect(url());
  }

  /** Stops the simulator, and waits until it has ended. */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException error) {
      // The JVM is ending, and the hook stops the process.
      return;
    }
    kill();
  }

  /** Ends the process and its children: npx starts the server as a child. */
  private void kill() {
    List<ProcessHandle> all =
        Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
    all.forEach(ProcessHandle::destroy);
    try {
      CompletableFuture.allOf(all.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new))
          .get(STOP_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      all.forEach(ProcessHandle::destroyForcibly);
    } catch (ExecutionException | TimeoutException error) {
      all.forEach(ProcessHandle::destroyForcibly);
    }
  }
}
