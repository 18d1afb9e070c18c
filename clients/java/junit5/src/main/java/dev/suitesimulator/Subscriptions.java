package dev.suitesimulator;

import dev.suitesimulator.generated.CreatedSubscription;
import dev.suitesimulator.generated.Operation;
import dev.suitesimulator.generated.Subscription;
import dev.suitesimulator.generated.SubscriptionCreate;
import java.util.List;

/** The webhook subscriptions of a workspace. */
public final class Subscriptions extends Part {
  Subscriptions(ControlPlane control, String workspaceId) {
    super(control, workspaceId);
  }

  /**
   * Creates a subscription; its secret signs the deliveries. {@link WebhookReceiver#subscribe} is shorter.
   */
  public CreatedSubscription create(SubscriptionCreate subscription) {
    return CreatedSubscription.from(
        control.call(Operation.CREATE_SUBSCRIPTION, at().withBody(subscription.toJson())));
  }

  /** Lists the subscriptions of all interfaces. */
  public List<Subscription> list() {
    return control.rows(Operation.LIST_SUBSCRIPTIONS, at(), Subscription::from);
  }

  /** Deletes a subscription. */
  public void delete(String subscriptionId) {
    control.call(Operation.DELETE_SUBSCRIPTION, at("subscriptionId", subscriptionId));
  }
}
