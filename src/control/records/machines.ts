/** Serves the state machines as data and diagrams. */
import type { Resource } from '../../http/definition/definition.ts'
import { refuse } from '../../state/model/refusal.ts'
import type { ControlContext } from '../shared/context.ts'
import { controlOperation, ListOf } from '../shared/dialect.ts'
import { MachineName, StateMachine } from '../shared/schemas.ts'
import { machineView } from '../shared/views.ts'

const TAG = 'Documentation'

export const machines =
  (context: ControlContext): Resource =>
  async (app) => {
    app.get(
      '/machines',
      {
        config: controlOperation(TAG, {
          id: 'listMachines',
          isShared: true,
          summary: 'List the state machines',
          answers: { 200: ListOf(StateMachine) },
        }),
      },
      () => ({ data: context.machines.map(machineView) }),
    )

    app.get(
      '/machines/:name',
      {
        schema: { params: MachineName },
        config: controlOperation(TAG, {
          id: 'getMachine',
          isShared: true,
          summary: 'Get a state machine',
          answers: { 200: StateMachine },
        }),
      },
      ({ params: { name } }) => {
        const machine = context.machines.find((candidate) => candidate.name === name)
        return machineView(machine ?? refuse('not_found', `There is no state machine ${name}.`))
      },
    )
  }
