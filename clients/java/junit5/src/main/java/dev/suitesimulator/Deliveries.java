package dev.suitesimulator;

import dev.suitesimulator.generated.Delivery;
import dev.suitesimulator.generated.DeliveryFilter;
import dev.suitesimulator.generated.Operation;
import dev.suitesimulator.generated.Redelivered;
import dev.suitesimulator.generated.Redelivery;
import dev.suitesimulator.generated.SampleEvent;
import dev.suitesimulator.generated.SentSample;
import dev.suitesimulator.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The webhook deliveries of a workspace, sent and pending. */
public final class Deliveries extends Part {
  Deliveries(ControlPlane control, String workspaceId) {
    super(control, workspaceId);
  }

  /** Lists the newest deliveries. */
  public List<Delivery> list() {
    return list(Map.of());
  }

  /** Lists deliveries, newest first. */
  public List<Delivery> list(DeliveryFilter filter) {
    return list(filter.toMap());
  }

  private List<Delivery> list(Map<String, ?> query) {
    return answer(query).get("data").list(Delivery::from);
  }

  private Json answer(Map<String, ?> query) {
    return control.call(Operation.LIST_DELIVERIES, at().withQuery(query));
  }

  /** Returns as soon as this number of deliveries is delivered, newest first. Waits up to ten seconds. */
  public List<Delivery> await(int count) {
    return await(count, DeliveryFilter.of());
  }

  /** Returns as soon as this number of matching deliveries is delivered, or has the status of the filter. */
  public List<Delivery> await(int count, DeliveryFilter filter) {
    return await(count, filter, Waiting.DEFAULT_TIMEOUT);
  }

  /**
   * Returns as soon as this number of matching deliveries is delivered, or has the status of the filter.
   *
   * @throws SimulatorException with the code "timeout", and the number of those that match
   */
  public List<Delivery> await(int count, DeliveryFilter filter, Duration timeout) {
    Map<String, Object> query = filter.toMap();
    query.putIfAbsent("status", "delivered");
    return Waiting.rows(count, timeout, query, "deliveries", this::answer, Delivery::from);
  }

  /** Delivers a sample of an event that did not occur, with its published example or other data. */
  public SentSample sample(SampleEvent event) {
    return SentSample.from(control.call(Operation.DELIVER_SAMPLE, at().withBody(event.toJson())));
  }

  /** Sends a delivery again, with a new retry schedule. */
  public void redeliver(String deliveryId) {
    control.call(Operation.REDELIVER, at("deliveryId", deliveryId));
  }

  /** Sends all dead deliveries again; returns their number. */
  public long redeliverAll() {
    return redeliverAll(Redelivery.of());
  }

  /**
   * Sends all dead deliveries that match again, or those with the status of the filter; returns their number.
   */
  public long redeliverAll(Redelivery filter) {
    return Redelivered.from(control.call(Operation.REDELIVER_ALL, at().withBody(filter.toJson()))).count();
  }
}
