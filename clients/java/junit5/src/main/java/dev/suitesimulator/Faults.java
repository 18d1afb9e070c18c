package dev.suitesimulator;

import dev.suitesimulator.generated.Fault;
import dev.suitesimulator.generated.FaultCreate;
import dev.suitesimulator.generated.FaultRelease;
import dev.suitesimulator.generated.FaultReleased;
import dev.suitesimulator.generated.HeldCall;
import dev.suitesimulator.generated.Operation;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The faults of a workspace, which its calls and deliveries meet. */
public final class Faults extends Part {
  Faults(ControlPlane control, String workspaceId) {
    super(control, workspaceId);
  }

  /** Injects a fault: {@code FaultCreate.of().interfaceName("catalog").status(503).times(2)}. */
  public Fault add(FaultCreate fault) {
    return Fault.from(control.call(Operation.CREATE_FAULT, at().withBody(fault.toJson())));
  }

  /** Lists the faults. */
  public List<Fault> list() {
    return control.rows(Operation.LIST_FAULTS, at(), Fault::from);
  }

  /** Returns a fault, and with {@code hold} the calls that wait for it. */
  public Fault get(String faultId) {
    return Fault.from(control.call(Operation.GET_FAULT, at("faultId", faultId)));
  }

  /**
   * Returns the calls that wait for a fault with {@code hold}, as soon as there are {@code count}, up to ten
   * seconds.
   */
  public List<HeldCall> await(String faultId, int count) {
    return await(faultId, count, Waiting.DEFAULT_TIMEOUT);
  }

  /**
   * Returns the calls that wait for a fault with {@code hold}, as soon as there are {@code count}.
   *
   * @throws SimulatorException with the code "timeout", and the number of calls that wait
   */
  public List<HeldCall> await(String faultId, int count, Duration timeout) {
    Fault found =
        Waiting.until(
            timeout,
            wait ->
                Fault.from(
                    control.call(
                        Operation.GET_FAULT,
                        at("faultId", faultId).withQuery(Map.of("wait", wait, "count", count)))),
            fault -> heldBy(fault).size() >= count,
            fault ->
                "Waited %s s for %d calls that %s holds; it holds %d."
                    .formatted(Waiting.seconds(timeout), count, faultId, heldBy(fault).size()));
    return heldBy(found);
  }

  private static List<HeldCall> heldBy(Fault fault) {
    return fault.waiting() == null ? List.of() : fault.waiting();
  }

  /** Lets all calls go on that wait for a fault with {@code hold}. */
  public FaultReleased release(String faultId) {
    return release(faultId, FaultRelease.of());
  }

  /** Lets some of them go on: {@code FaultRelease.of().count(1)}. */
  public FaultReleased release(String faultId, FaultRelease which) {
    return FaultReleased.from(
        control.call(
            Operation.RELEASE_CALLS, at("faultId", faultId).withBody(which.toJson())));
  }

  /** Deletes a fault. */
  public void delete(String faultId) {
    control.call(Operation.DELETE_FAULT, at("faultId", faultId));
  }

  /** Deletes all faults. */
  public void clear() {
    control.call(Operation.DELETE_FAULTS, at());
  }
}
