/** Serves the state machines as data and diagrams. */
import { refuse } from '../../state/model/refusal.ts'
import { controlRoutesOf, ListOf, type ControlResource } from '../shared/dialect.ts'
import { MachineName, StateMachine } from '../shared/schemas.ts'
import { machineView } from '../shared/views.ts'

export const machines: ControlResource = async (app, context) => {
  const at = controlRoutesOf(app, 'Documentation')

  at('/machines').get({
    id: 'listMachines',
    isShared: true,
    summary: 'List the state machines',
    answers: { 200: ListOf(StateMachine) },
    run: () => ({ data: context.machines.map(machineView) }),
  })

  at('/machines/:name', { params: MachineName }).get({
    id: 'getMachine',
    isShared: true,
    summary: 'Get a state machine',
    answers: { 200: StateMachine },
    run({ params: { name } }) {
      const machine = context.machines.find((candidate) => candidate.name === name)
      return machineView(machine ?? refuse('not_found', `There is no state machine ${name}.`))
    },
  })
}
