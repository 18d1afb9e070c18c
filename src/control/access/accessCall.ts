/** The call that says what the token of a call opens. */
import { Type } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { named, Nullable, OneOf } from '../../http/schemas/schemas.ts'
import type { ControlContext } from '../shared/context.ts'
import { controlRoutesOf } from '../shared/dialect.ts'
import { accessOf } from './access.ts'

const AccessShape = named(
  'Access',
  Type.Object({
    token: OneOf(['admin', 'control', 'none'], {
      description:
        'The token of this call: the admin token, the control token of a workspace, or none, because the server needs none.',
    }),
    workspaceId: Nullable(
      Type.String({
        description: 'The only workspace that the token opens; null if it opens the whole server.',
      }),
    ),
    allowReset: Type.Boolean({ description: 'Whether POST /_sim/reset is allowed on this server.' }),
  }),
)

export const access =
  ({ allowsReset }: ControlContext): Resource =>
  async (app) => {
    const at = controlRoutesOf(app, 'Server')

    at('/access').get({
      id: 'getAccess',
      summary: 'Get what the token of this call opens',
      answers: { 200: AccessShape },
      isShared: true,
      run(request) {
        const { token, workspace } = accessOf(request)
        return { token, workspaceId: workspace?.id ?? null, allowReset: allowsReset() }
      },
    })
  }
