/** The response of an assignment. */
import { Type } from '@sinclair/typebox'
import { named, Nullable } from '../../../http/schemas/schemas.ts'
import { Agent, Team } from './people.ts'

export const Assigned = named('Assigned', Nullable(Type.Union([Agent, Team.item])))
