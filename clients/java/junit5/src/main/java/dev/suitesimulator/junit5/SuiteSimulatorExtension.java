package dev.suitesimulator.junit5;

import dev.suitesimulator.NewWorkspace;
import dev.suitesimulator.SimulatorClient;
import dev.suitesimulator.SimulatorClock;
import dev.suitesimulator.WebhookReceiver;
import dev.suitesimulator.Workspace;
import dev.suitesimulator.generated.WorkspaceCreate;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/**
 * Gives each test its own workspace: tests take a {@link Workspace}, {@link SimulatorClock},
 * {@link WebhookReceiver} or {@link SimulatorClient} as a parameter. The workspace is created when it is
 * first used, and deleted after the test. If a test fails, its stack trace also shows the calls, hints and
 * deliveries of its workspace.
 *
 * <p>The simulator is the one at SUITE_SIM_URL, with the token in SIM_ADMIN_TOKEN. Without this variable, the
 * extension starts one simulator for all tests of the JVM, and stops it after them.
 */
public final class SuiteSimulatorExtension
    implements ParameterResolver, TestExecutionExceptionHandler, LifecycleMethodExecutionExceptionHandler {
  private static final Namespace NAMESPACE = Namespace.create(SuiteSimulatorExtension.class);

  private static final Set<Class<?>> OF_ONE_TEST =
      Set.of(Workspace.class, NewWorkspace.class, SimulatorClock.class, WebhookReceiver.class);

  private final SimulatorSource source;
  private final UnaryOperator<WorkspaceCreate> options;
  private final Supplier<WebhookReceiver> receivers;

  /** Creates the extension without options, for {@code @ExtendWith(SuiteSimulatorExtension.class)}. */
  public SuiteSimulatorExtension() {
    this(SimulatorSource.DEFAULT, new Builder());
  }

  private SuiteSimulatorExtension(SimulatorSource source, Builder builder) {
    this.source = source;
    this.options = builder.options;
    this.receivers = builder.receivers;
  }

  /** Returns a builder with options, for a static field with {@code @RegisterExtension}. */
  public static Builder builder() {
    return new Builder();
  }

  /** The options of an extension. */
  public static final class Builder {
    private String url;
    private String adminToken;
    private Supplier<SimulatorClient> client;
    private List<String> command = List.of();
    private List<String> arguments = List.of();
    private UnaryOperator<WorkspaceCreate> options = UnaryOperator.identity();
    private Supplier<WebhookReceiver> receivers = WebhookReceiver::start;

    private Builder() {}

    /** Uses the simulator at a URL instead of SUITE_SIM_URL. */
    public Builder url(String chosen) {
      url = chosen;
      return this;
    }

    /** Sets the token of the simulator at {@link #url}; SIM_ADMIN_TOKEN by default. */
    public Builder adminToken(String chosen) {
      adminToken = chosen;
      return this;
    }

    /**
     * Uses the client that a function returns, such as that of a container. It is called before the first
     * test.
     */
    public Builder client(Supplier<SimulatorClient> chosen) {
      client = chosen;
      return this;
    }

    /** Sets the command that starts a simulator, without the subcommand {@code serve}: "npx", "suite-sim". */
    public Builder command(String... chosen) {
      command = List.of(chosen);
      return this;
    }

    /** Adds arguments to the command that starts a simulator: "--seed", "ci". */
    public Builder arguments(String... chosen) {
      arguments = List.of(chosen);
      return this;
    }

    /**
     * Sets options of all workspaces: {@code options -> options.fixtures("demo")}. Annotations have priority.
     */
    public Builder workspace(UnaryOperator<WorkspaceCreate> chosen) {
      options = chosen;
      return this;
    }

    /** Sets a function that starts the receiver of each test, such as that of a container. */
    public Builder receivers(Supplier<WebhookReceiver> chosen) {
      receivers = chosen;
      return this;
    }

    /** Returns the extension. */
    public SuiteSimulatorExtension build() {
      return new SuiteSimulatorExtension(
          new SimulatorSource(url, adminToken, client, command, arguments), this);
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == SimulatorClient.class || OF_ONE_TEST.contains(type);
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    if (type == SimulatorClient.class) return simulator(context);
    if (context.getTestMethod().isEmpty()) {
      throw new ParameterResolutionException(
          "A %s belongs to one test; take it as a parameter of the test or of a @BeforeEach method"
              .formatted(type.getSimpleName()));
    }
    if (type == WebhookReceiver.class) return receiver(context);
    NewWorkspace workspace = workspace(context);
    return type == SimulatorClock.class ? workspace.clock() : workspace;
  }

  private SimulatorClient simulator(ExtensionContext context) {
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(source, SimulatorSource::connect, SimulatorSource.Connected.class)
        .client();
  }

  private record TestWorkspace(NewWorkspace workspace) implements CloseableResource {
    @Override
    public void close() {
      workspace.close();
    }
  }

  private record TestReceiver(WebhookReceiver receiver) implements CloseableResource {
    @Override
    public void close() {
      receiver.close();
    }
  }

  private NewWorkspace workspace(ExtensionContext context) {
    return storeOf(context)
        .getOrComputeIfAbsent(
            TestWorkspace.class,
            key ->
                new TestWorkspace(simulator(context).createWorkspace(WorkspaceChoice.of(context, options))),
            TestWorkspace.class)
        .workspace();
  }

  private WebhookReceiver receiver(ExtensionContext context) {
    return storeOf(context)
        .getOrComputeIfAbsent(
            TestReceiver.class, key -> new TestReceiver(receivers.get()), TestReceiver.class)
        .receiver();
  }

  private static Store storeOf(ExtensionContext context) {
    return context.getStore(NAMESPACE);
  }

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
    throw withRecord(context, failure);
  }

  @Override
  public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    throw withRecord(context, failure);
  }

  @Override
  public void handleAfterEachMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    throw withRecord(context, failure);
  }

  /** Adds what the simulator recorded to the failure of a test that used its workspace. */
  private static Throwable withRecord(ExtensionContext context, Throwable failure) {
    TestWorkspace used = storeOf(context).get(TestWorkspace.class, TestWorkspace.class);
    if (used == null || failure instanceof TestAbortedException) return failure;
    boolean isFirst = storeOf(context).getOrComputeIfAbsent(SimulatorRecord.class, key -> failure) == failure;
    if (isFirst) failure.addSuppressed(SimulatorRecord.of(used.workspace()));
    return failure;
  }
}
