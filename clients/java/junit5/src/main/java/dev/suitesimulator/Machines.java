package dev.suitesimulator;

import dev.suitesimulator.ControlPlane.Parts;
import dev.suitesimulator.generated.Operation;
import dev.suitesimulator.generated.StateMachine;
import java.util.List;
import java.util.Map;

/** The state machines of the records. */
public final class Machines {
  private final ControlPlane control;

  Machines(ControlPlane control) {
    this.control = control;
  }

  /** Lists all machines. */
  public List<StateMachine> list() {
    return control.rows(Operation.LIST_MACHINES, Parts.NONE, StateMachine::from);
  }

  /** Returns a machine. */
  public StateMachine get(String name) {
    return StateMachine.from(control.call(Operation.GET_MACHINE, Parts.path(Map.of("name", name))));
  }
}
