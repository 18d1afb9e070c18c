/** Operations that list and pull triggers. OPERATING.md, "Triggers". */
import { Type, type Static } from '@sinclair/typebox'
import { allowMissingBody } from '../../http/definition/operation.ts'
import { runTriggered } from '../../http/lifecycle/journal.ts'
import { FreeObject } from '../../http/schemas/schemas.ts'
import { problemsOf } from '../../http/schemas/validation.ts'
import { withWireNames, refuse, type Naming } from '../../state/model/refusal.ts'
import { controlRoutesOf, ListOf, workspaceMustExist, type ControlResource } from '../shared/dialect.ts'
import { TriggerDescription, TriggerParameters } from '../shared/schemas.ts'
import type { Trigger } from '../../http/definition/trigger.ts'
import { triggerView } from '../shared/views.ts'

interface Found {
  readonly trigger: Trigger
  /** Maps property names of the state to the wire names of the interface, for error messages. */
  readonly nameOf: Naming | undefined
}

export const triggers: ControlResource = async (app, context) => {
  /** Returns the triggers of all interfaces, in the order of the interfaces. */
  const everyTrigger = async (): Promise<Trigger[]> => {
    const wires = await Promise.all(context.interfaces.map((each) => each.load()))
    return wires.flatMap(({ triggers: known = [] }) => known)
  }
  /** Finds a trigger. Its name starts with the name of its interface. */
  const find = async (name: string): Promise<Found> => {
    const of = context.interfaces.find((each) => name.startsWith(`${each.name}.`))
    const wire = await of?.load()
    const trigger = wire?.triggers?.find((candidate) => candidate.name === name)
    if (wire && trigger) return { trigger, nameOf: wire.dialect.nameOf }
    const names = (await everyTrigger()).map((known) => known.name)
    return refuse('not_found', `There is no trigger ${name}. The triggers are ${names.join(', ')}.`)
  }

  const at = controlRoutesOf(app, 'Triggers')

  at('/triggers').get({
    id: 'listTriggers',
    isShared: true,
    summary: 'List the triggers',
    answers: { 200: ListOf(TriggerDescription) },
    run: async () => ({ data: (await everyTrigger()).map(triggerView) }),
  })

  at('/workspaces/:id/triggers/:name', { params: TriggerParameters }).post({
    id: 'pullTrigger',
    summary: 'Pull a trigger',
    description:
      'Simulates an action by a user, a device or an authority outside the interfaces. GET /_sim/triggers lists the schemas of request and response bodies.',
    body: Type.Optional(FreeObject({ examples: [{ event: 'sale.completed' }] })),
    before: [
      workspaceMustExist,
      async ({ params }) => {
        await find((params as Static<typeof TriggerParameters>).name)
      },
      allowMissingBody,
    ],
    answers: { 200: FreeObject() },
    addsData: true,
    refuses: ['wrong_state', 'conflict'],
    async run(request) {
      const { params, body, headers } = request
      const { trigger, nameOf } = await find(params.name)
      mustMatchSchema(trigger, body)
      try {
        const workspace = request.target
        return runTriggered(workspace, trigger.name, headers, () => trigger.run(workspace, body))
      } catch (error) {
        throw withWireNames(error, nameOf)
      }
    },
  })
}

/** Refuses a body that does not match the schema of the trigger. */
function mustMatchSchema(trigger: Trigger, body: Readonly<Record<string, unknown>>): void {
  const details = problemsOf(trigger.body, body)
  if (details.length === 0) return
  refuse('invalid', details.map(({ message }) => message).join('; '), { details })
}
