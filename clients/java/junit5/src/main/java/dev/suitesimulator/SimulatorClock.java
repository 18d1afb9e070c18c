package dev.suitesimulator;

import dev.suitesimulator.generated.Advance;
import dev.suitesimulator.generated.Advanced;
import dev.suitesimulator.generated.Clock;
import dev.suitesimulator.generated.ClockChange;
import dev.suitesimulator.generated.DueJob;
import dev.suitesimulator.generated.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The clock of a workspace. */
public final class SimulatorClock extends Part {
  SimulatorClock(ControlPlane control, String workspaceId) {
    super(control, workspaceId);
  }

  /** Returns the time, and whether the clock is frozen. */
  public Clock get() {
    return Clock.from(control.call(Operation.GET_CLOCK, at()));
  }

  /** Returns the time of the workspace. */
  public Instant now() {
    return get().now();
  }

  /** Lists the next due jobs by kind, earliest first. */
  public List<DueJob> due() {
    return control.rows(Operation.LIST_DUE, at(), DueJob::from);
  }

  /** Sets, freezes or unfreezes the clock. Jobs that become due run in order. */
  public Clock set(ClockChange change) {
    return Clock.from(control.call(Operation.SET_CLOCK, at().withBody(change.toJson())));
  }

  /** Sets the time. */
  public Clock set(Instant now) {
    return set(ClockChange.of().now(now.toString()));
  }

  /** Freezes the clock at its current time. */
  public Clock freeze() {
    return set(ClockChange.of().frozen(true));
  }

  /** Freezes the clock at another time. */
  public Clock freeze(Instant now) {
    return set(ClockChange.of().frozen(true).now(now.toString()));
  }

  /**
   * Advances the clock by an ISO 8601 duration: "PT1H", "P1M". Returns when the due jobs have run and the due
   * webhooks were sent, or after five seconds.
   */
  public Advanced advance(String duration) {
    return advance(Advance.of(duration));
  }

  /** Advances the clock by a duration. */
  public Advanced advance(Duration duration) {
    return advance(duration.toString());
  }

  /**
   * Advances the clock, with another limit of the wait for webhooks: {@code Advance.of("PT1H").waitMs(0)}.
   */
  public Advanced advance(Advance options) {
    return Advanced.from(control.call(Operation.ADVANCE_CLOCK, at().withBody(options.toJson())));
  }
}
