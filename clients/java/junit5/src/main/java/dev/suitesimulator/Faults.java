package dev.suitesimulator;

import dev.suitesimulator.generated.Fault;
import dev.suitesimulator.generated.FaultCreate;
import dev.suitesimulator.generated.Operation;
import java.util.List;

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

  /** Deletes a fault. */
  public void delete(String faultId) {
    control.call(Operation.DELETE_FAULT, at("faultId", faultId));
  }

  /** Deletes all faults. */
  public void clear() {
    control.call(Operation.DELETE_FAULTS, at());
  }
}
