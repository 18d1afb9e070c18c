/** Which assumed claims and which readings a run relied on: what it sent, what it got, which moves and deliveries it met. */
import { isOwnCaller } from '@suite-sim/kit/calls/callerName'
import type { Facts } from './facts.ts'
import type { Part } from './part.ts'
import { addCall } from './reliances/calls.ts'
import { Reliances } from './reliances/collecting.ts'
import { addDeliveries } from './reliances/deliveries.ts'
import { addMoves } from './reliances/moves.ts'
import { addRefusals } from './reliances/refusals.ts'

/** Returns what a run in one workspace covered and relied on. */
export function partOf(facts: Facts): Part {
  const { workspace, coverage, interfaces } = facts
  const calls = facts.calls.filter(({ caller }) => !isOwnCaller(caller?.name))
  const found = new Reliances()
  for (const call of calls.toReversed()) addCall(facts, call, found)
  addRefusals({ ...facts, calls }, found)
  addMoves(facts, found)
  addDeliveries(facts, found)
  const isUsed = (each: { readonly interface: string }): boolean => interfaces.has(each.interface)
  const machineIsUsed = ({ machine }: { readonly machine: string }): boolean =>
    interfaces.has(machine.split('.')[0] ?? '')
  return {
    workspace: { id: workspace.id, name: workspace.name },
    observedAt: facts.observed.measured?.at ?? null,
    examined: facts.calls.length,
    reliances: found.all,
    notes: notesIn(facts),
    covered: {
      operations: coverage.operations.filter(isUsed),
      transitions: coverage.transitions.filter(machineIsUsed),
      events: coverage.events.filter(isUsed),
    },
  }
}

/** Returns what the simulator assumes of documented operations that the run called. */
function notesIn({ coverage, interfaces, calls: all }: Facts): Part['notes'] {
  const own = all.filter(({ caller }) => isOwnCaller(caller?.name))
  return coverage.operations.flatMap(({ interface: of, operation: id, calls: covered }) => {
    const calls = covered - own.filter((each) => each.interface === of && each.operation === id).length
    const operation = calls > 0 ? interfaces.get(of)?.operations.get(id) : undefined
    const why = operation?.published['x-fidelity-why']
    return operation?.published['x-fidelity'] === 'documented' && typeof why === 'string'
      ? [{ interface: of, operation: operation.address, why, calls }]
      : []
  })
}
