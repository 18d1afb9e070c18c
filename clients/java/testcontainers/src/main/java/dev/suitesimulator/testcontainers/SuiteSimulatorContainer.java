package dev.suitesimulator.testcontainers;

import dev.suitesimulator.SimulatorClient;
import dev.suitesimulator.WebhookReceiver;
import java.util.UUID;
import org.testcontainers.Testcontainers;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/**
 * A simulator in a container, in memory and with a token of its own:
 *
 * <pre>{@code
 * @Container
 * static final SuiteSimulatorContainer CONTAINER = new SuiteSimulatorContainer("suite-simulator:0.2.0");
 *
 * @RegisterExtension
 * static final SuiteSimulatorExtension SIMULATOR =
 *     SuiteSimulatorExtension.builder()
 *         .client(CONTAINER::connect)
 *         .receivers(CONTAINER::startReceiver)
 *         .build();
 * }</pre>
 */
public final class SuiteSimulatorContainer extends GenericContainer<SuiteSimulatorContainer> {
  private static final int PORT = 4012;

  /** The name of this machine in containers. */
  private static final String HOST = "host.testcontainers.internal";

  private String adminToken;

  /** Creates a container of an image that was built with the Dockerfile of the simulator. */
  public SuiteSimulatorContainer(String image) {
    this(DockerImageName.parse(image));
  }

  /** Creates a container of an image that was built with the Dockerfile of the simulator. */
  public SuiteSimulatorContainer(DockerImageName image) {
    super(image);
    withExposedPorts(PORT);
    withAccessToHost(true);
    withEnv("SIM_DB", ":memory:");
    withEnv("SIM_WEBHOOK_HTTP_HOSTS", HOST);
    // The container belongs to these tests alone.
    withEnv("SIM_ALLOW_RESET", "on");
    withAdminToken(UUID.randomUUID().toString());
    waitingFor(Wait.forHttp("/_sim/health").forPort(PORT).forStatusCode(200));
  }

  /** Sets the token of the control plane; a random one by default. */
  public SuiteSimulatorContainer withAdminToken(String token) {
    adminToken = token;
    return withEnv("SIM_ADMIN_TOKEN", token);
  }

  /** Sets the seed of all ids: the same calls create the same ids. */
  public SuiteSimulatorContainer withSeed(String seed) {
    return withEnv("SIM_SEED", seed);
  }

  /** Sets the records of the server at the start: "demo" (the default), "small" or "none". */
  public SuiteSimulatorContainer withFixtures(String fixtures) {
    return withEnv("SIM_FIXTURES", fixtures);
  }

  /** Returns the token of the control plane. */
  public String adminToken() {
    return adminToken;
  }

  /** Returns the URL of the running simulator for this machine. */
  public String url() {
    return "http://" + getHost() + ":" + getMappedPort(PORT);
  }

  /** Returns a client of the running simulator. */
  public SimulatorClient connect() {
    return SimulatorClient.connect(url(), adminToken);
  }

  /** Starts a webhook receiver on this machine that the container can reach. */
  public WebhookReceiver startReceiver() {
    WebhookReceiver receiver = WebhookReceiver.start(HOST);
    Testcontainers.exposeHostPorts(receiver.port());
    return receiver;
  }
}
