/** Triggers: what they are, and pulling one. OPERATING.md, "Triggers". */
import { Type } from '@sinclair/typebox'
import type { Resource } from '../http/definition.ts'
import { bodyMayBeLeftOut } from '../http/operation.ts'
import { FreeObject } from '../http/schemas.ts'
import { problemsOf } from '../http/validation.ts'
import { refuse } from '../state/refusal.ts'
import { workspaceOf, type ControlContext } from './context.ts'
import { controlOperation, ListOf } from './dialect.ts'
import { TriggerDescription, TriggerParameters } from './schemas.ts'
import type { Trigger } from '../http/trigger.ts'
import { triggerView } from './views.ts'

const TAG = 'Triggers'

export const triggers =
  (context: ControlContext): Resource =>
  async (app) => {
    /** Of all interfaces, in their order. */
    const everyTrigger = async (): Promise<Trigger[]> => {
      const wires = await Promise.all(context.interfaces.map((each) => each.wire()))
      return wires.flatMap(({ triggers: known = [] }) => known)
    }
    /** The first word of a trigger's name is its interface's. */
    const find = async (name: string): Promise<Trigger> => {
      const of = context.interfaces.find((each) => name.startsWith(`${each.name}.`))
      const found = (await of?.wire())?.triggers?.find((candidate) => candidate.name === name)
      if (found) return found
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
      async ({ params, body }) => {
        const pulled = await find(params.name)
        mustFit(pulled, body)
        return pulled.run(workspaceOf(context, params), body)
      },
    )
  }

/** A refusal when the body is not one that the trigger takes. */
function mustFit(pulled: Trigger, body: unknown): void {
  const details = problemsOf(pulled.body, body)
  if (details.length === 0) return
  refuse('invalid', details.map(({ message }) => message).join('; '), { details })
}
