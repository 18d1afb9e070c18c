package dev.suitesimulator;

/** Chooses the response to a webhook: {@code webhook -> webhook.attempt() == 1 ? 503 : 200}. */
@FunctionalInterface
public interface WebhookAnswer {
  /** Returns the status of the response. If it throws, the connection is closed without a response. */
  int statusFor(ReceivedWebhook webhook);
}
