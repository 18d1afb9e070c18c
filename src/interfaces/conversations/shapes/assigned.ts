/** The response of an assignment. */
import { Type } from '@sinclair/typebox'
import { named, Nullable } from '../../../http/schemas/schemas.ts'
import { Returned } from './common.ts'
import { Agent, Team } from './people.ts'

export const Assigned = named(
  'Assigned',
  Returned('the assigned agent or team, or null', Nullable(Type.Union([Agent, Team.item]))),
)
