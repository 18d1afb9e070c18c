package dev.suitesimulator;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.suitesimulator.generated.CreatedSubscription;
import dev.suitesimulator.generated.SubscriptionCreate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Receives webhooks in a test: verifies their signatures, records them and lets the test wait for them. Close
 * it at the end.
 */
public final class WebhookReceiver implements AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1";
  private static final String PATH = "/webhooks";

  /** Maximum bytes of a body, more than any webhook has. */
  private static final int LONGEST_BODY = 16 * 1_048_576;

  private final HttpServer server;
  private final ExecutorService threads;
  private final String hostname;
  private final Set<String> secrets = ConcurrentHashMap.newKeySet();
  private final ReceivedWebhooks webhooks = new ReceivedWebhooks();
  private volatile WebhookAnswer answer = webhook -> 200;

  private WebhookReceiver(HttpServer server, String hostname) {
    this.server = server;
    this.hostname = hostname;
    this.threads =
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task, "webhook-receiver");
              thread.setDaemon(true);
              return thread;
            });
    server.setExecutor(threads);
    server.createContext("/", this::take);
    server.start();
  }

  /** Starts a receiver at the host name in SUITE_SIM_WEBHOOK_HOST, or else on 127.0.0.1. */
  public static WebhookReceiver start() {
    return Environment.variable(Environment.WEBHOOK_HOST)
        .map(WebhookReceiver::start)
        .orElseGet(() -> start(LOOPBACK, LOOPBACK));
  }

  /**
   * Starts a receiver that listens on the network.
   *
   * @param hostname the name of this machine for a simulator elsewhere: "host.docker.internal"
   */
  public static WebhookReceiver start(String hostname) {
    return start(hostname, "0.0.0.0");
  }

  private static WebhookReceiver start(String hostname, String address) {
    try {
      return new WebhookReceiver(HttpServer.create(new InetSocketAddress(address, 0), 0), hostname);
    } catch (IOException error) {
      throw new UncheckedIOException("The webhook receiver can't listen on " + address, error);
    }
  }

  /** Returns the URL for subscriptions: "http://127.0.0.1:49152/webhooks". */
  public String url() {
    return "http://" + hostname + ":" + port() + PATH;
  }

  /** Returns the port. */
  public int port() {
    return server.getAddress().getPort();
  }

  /** Accepts webhooks that this secret signed, too. With a secret, others get 401. */
  public WebhookReceiver trust(String secret) {
    secrets.add(secret);
    return this;
  }

  /** Subscribes the receiver to all or some events of an interface, and trusts the secret. */
  public CreatedSubscription subscribe(Workspace workspace, String interfaceName, String... events) {
    SubscriptionCreate subscription = SubscriptionCreate.of(interfaceName, url());
    if (events.length > 0) subscription.events(List.of(events));
    CreatedSubscription created = workspace.subscriptions().create(subscription);
    trust(created.secret());
    return created;
  }

  /** Sets the status of the response from now on; it is 200 at the start. */
  public void answerWith(int status) {
    answer = webhook -> status;
  }

  /** Sets a function that chooses the status of the response from now on. */
  public void answerWith(WebhookAnswer chosen) {
    answer = chosen;
  }

  /** Returns all webhooks in order: every attempt, and those with a wrong signature. */
  public List<ReceivedWebhook> received() {
    return webhooks.all();
  }

  /**
   * Returns the first webhook, past or future, that no earlier {@code next} returned. Waits up to ten
   * seconds.
   */
  public ReceivedWebhook next() {
    return next(null);
  }

  /** Returns the next webhook of an event; null for any event. */
  public ReceivedWebhook next(String event) {
    return next(event, Waiting.DEFAULT_TIMEOUT);
  }

  /**
   * Returns the next webhook of an event. Those with a wrong signature never count.
   *
   * @param event the name of the event; null for any
   * @throws SimulatorException with the code "timeout", and the webhooks that arrived
   */
  public ReceivedWebhook next(String event, Duration timeout) {
    return webhooks.next(event, timeout);
  }

  /**
   * Returns the first webhooks as soon as this number has arrived, including those that {@code next}
   * returned.
   */
  public List<ReceivedWebhook> await(int count) {
    return await(count, null);
  }

  /** Returns the first webhooks of an event as soon as this number has arrived. */
  public List<ReceivedWebhook> await(int count, String event) {
    return await(count, event, Waiting.DEFAULT_TIMEOUT);
  }

  /**
   * Returns the first webhooks of an event as soon as this number has arrived. Those with a wrong signature
   * never count.
   *
   * @param event the name of the event; null for any
   * @throws SimulatorException with the code "timeout", and the webhooks that arrived
   */
  public List<ReceivedWebhook> await(int count, String event, Duration timeout) {
    return webhooks.await(count, event, timeout);
  }

  /** Deletes all received webhooks. */
  public void clear() {
    webhooks.clear();
  }

  /** Closes all connections and stops listening. */
  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readNBytes(LONGEST_BODY + 1);
      if (body.length > LONGEST_BODY) throw new IOException("the body is too large for a webhook");
      String signature = exchange.getRequestHeaders().getFirst("x-service-signature");
      ReceivedWebhook webhook =
          ReceivedWebhook.read(body, exchange.getRequestHeaders(), verify(body, signature));
      int status = webhook.isAcceptable() ? answer.statusFor(webhook) : 401;
      // Recorded before the response, so that a caller who has the response finds it.
      webhooks.add(webhook.withStatus(status));
      exchange.sendResponseHeaders(status, -1);
    }
  }

  private Boolean verify(byte[] body, String signature) {
    if (secrets.isEmpty()) return null;
    return secrets.stream().anyMatch(secret -> WebhookSignature.isValid(body, signature, secret));
  }
}
