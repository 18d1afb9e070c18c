/** Triggers: what they are, and pulling one. OPERATING.md, "Triggers". */
import { Type } from '@sinclair/typebox'
import type { Resource } from '../http/mount.ts'
import { before, bodyMayBeLeftOut } from '../http/operation.ts'
import { FreeObject } from '../http/schemas.ts'
import { problemsOf } from '../http/validation.ts'
import { refuse } from '../state/refusal.ts'
import { workspaceOf, type ControlContext } from './context.ts'
import { controlOperation, ListOf } from './dialect.ts'
import { TriggerDescription, TriggerParameters } from './schemas.ts'
import type { Trigger } from './triggers/trigger.ts'
import { triggerView } from './views.ts'

const TAG = 'Triggers'

export const triggers =
  (context: ControlContext): Resource =>
  async (app) => {
    const find = (name: string): Trigger =>
      context.triggers.find((candidate) => candidate.name === name) ??
      refuse(
        'not_found',
        `There is no trigger ${name}; there are ${context.triggers.map((known) => known.name).join(', ')}.`,
      )

    app.get(
      '/triggers',
      {
        config: controlOperation(TAG, {
          id: 'listTriggers',
          summary: 'List the triggers',
          answers: { 200: ListOf(TriggerDescription) },
        }),
      },
      () => ({ data: context.triggers.map(triggerView) }),
    )

    app.post(
      '/workspaces/:id/triggers/:name',
      {
        preValidation: [
          before<{ id: string; name: string }>((_request, params) => {
            workspaceOf(context, params)
            find(params.name)
          }),
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
      ({ params, body }) => {
        const pulled = find(params.name)
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
