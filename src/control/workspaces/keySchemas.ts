/** Wire schemas of API keys. */
import { Type } from '@sinclair/typebox'
import { Instant, named, Nullable, OneOf, SentInstant } from '../../http/schemas/schemas.ts'
import { INTERFACE_NAMES } from '@suite-sim/kit/interfaceNames'
import { demoUser, id, key, strict, WorkspaceKey } from '../shared/schemas.ts'

const scopes = Type.Array(Type.String({ minLength: 1, examples: ['products:read'] }), {
  description: 'The scopes of the key. "*" grants all. Each must be a scope of an operation.',
})
const interfaces = Type.Array(OneOf([...INTERFACE_NAMES, '*']), {
  description: 'The interfaces that accept the key. "*" means all.',
})

export const Key = named(
  'Key',
  Type.Object({
    key,
    workspaceId: id,
    userId: Type.String(demoUser),
    scopes,
    interfaces,
    expiresAt: Nullable(Instant()),
    createdAt: Instant(),
  }),
)

const newKey = {
  scopes: Type.Optional(scopes),
  interfaces: Type.Optional(interfaces),
  userId: Type.Optional(
    Type.String({
      description: 'The user of the key. Defaults to the first user of the workspace.',
      ...demoUser,
    }),
  ),
  expiresAt: Type.Optional(
    Nullable(
      SentInstant({
        description: 'When the key expires, on the clock of the workspace.',
        examples: ['2036-01-31T09:30:00.000Z'],
      }),
    ),
  ),
}

export const KeyCreate = named('KeyCreate', Type.Object({ workspaceId: WorkspaceKey, ...newKey }, strict))
export const WorkspaceKeyCreate = named('WorkspaceKeyCreate', Type.Object(newKey, strict))

export const KeyQuery = Type.Object({ workspaceId: WorkspaceKey })
export const KeyParameter = Type.Object({ key })
export const WorkspaceKeyParameters = Type.Object({ id, key })
