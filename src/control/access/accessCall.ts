/** The call that says what the token of a call opens. */
import { Type } from '@sinclair/typebox'
import { named, Nullable, OneOf } from '../../http/schemas/schemas.ts'
import { controlRoutesOf, type ControlResource } from '../shared/dialect.ts'
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

export const access: ControlResource = async (app, { allowsReset }) => {
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
