/** Triggers: what they are, and pulling one. OPERATING.md, "Triggers". */
import { Type } from '@sinclair/typebox'
import type { Resource } from '../http/definition.ts'
import { bodyMayBeLeftOut } from '../http/operation.ts'
import { triggered } from '../http/journal.ts'
import { FreeObject } from '../http/schemas.ts'
import { problemsOf } from '../http/validation.ts'
import { inNames, refuse, type Naming } from '../state/refusal.ts'
import { workspaceOf, type ControlContext } from './context.ts'
import { controlOperation, ListOf } from './dialect.ts'
import { TriggerDescription, TriggerParameters } from './schemas.ts'
import type { Trigger } from '../http/trigger.ts'
import { triggerView } from './views.ts'

const TAG = 'Triggers'

interface Found {
  readonly trigger: Trigger
  /** How its body calls properties of the state: as its interface does. */
  readonly nameOf: Naming | undefined
}

export const triggers =
  (context: ControlContext): Resource =>
  async (app) => {
    /** Of all interfaces, in their order. */
    const everyTrigger = async (): Promise<Trigger[]> => {
      const wires = await Promise.all(context.interfaces.map((each) => each.wire()))
      return wires.flatMap(({ triggers: known = [] }) => known)
    }
    /** The first word of a trigger's name is its interface's. */
    const find = async (name: string): Promise<Found> => {
      const of = context.interfaces.find((each) => name.startsWith(`${each.name}.`))
      const wire = await of?.wire()
      const trigger = wire?.triggers?.find((candidate) => candidate.name === name)
      if (wire && trigger) return { trigger, nameOf: wire.dialect.nameOf }
      const names = (await everyTrigger()).map((known) => known.name)
      return refuse('not_found', `There is no trigger ${name}; there are ${names.join(', ')}.`)
    }

    app.get(
      '/triggers',
      {
        config: controlOperation(TAG, {
          id: 'listTriggers',
          summary: 'List the triggers',
          answers: { 200: ListOf(TriggerDescription) },
        }),
      },
      async () => ({ data: (await everyTrigger()).map(triggerView) }),
    )

    app.post(
      '/workspaces/:id/triggers/:name',
      {
        preValidation: [
          async (request) => {
            const { params } = request
            workspaceOf(context, params)
            await find(params.name)
          },
          bodyMayBeLeftOut,
        ],
        schema: {
          params: TriggerParameters,
          body: Type.Optional(FreeObject({ examples: [{ event: 'sale.completed' }] })),
        },
        config: controlOperation(TAG, {
          id: 'pullTrigger',
          summary: 'Let happen what happens outside the interfaces',
          description: 'GET /_sim/triggers tells the body that each trigger takes and what it answers with.',
          answers: { 200: FreeObject() },
          refuses: ['wrong_state', 'conflict'],
        }),
      },
      async ({ params, body, headers }) => {
        const { trigger, nameOf } = await find(params.name)
        mustFit(trigger, body)
        try {
          const workspace = workspaceOf(context, params)
          return triggered(workspace, trigger.name, headers, () => trigger.run(workspace, body))
        } catch (error) {
          throw inNames(error, nameOf)
        }
      },
    )
  }

/** A refusal when the body is not one that the trigger takes. */
function mustFit(pulled: Trigger, body: Readonly<Record<string, unknown>>): void {
  const details = problemsOf(pulled.body, body)
  if (details.length === 0) return
  refuse('invalid', details.map(({ message }) => message).join('; '), { details })
}
