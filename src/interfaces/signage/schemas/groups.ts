/** Wire shapes of groups. Specification part 1, "Other signage records". */
import { Type } from '@sinclair/typebox'
import { Assumed, Instant, named, Nullable } from '../../../http/schemas.ts'
import { demoId, Id, pageQuery } from '../../../http/wireShapes.ts'
import { LARGEST_GROUP } from '../../../state/signage/groups.ts'
import { Name } from './common.ts'

const name = Name('Showroom')

const description = Nullable(
  Assumed(
    'The specification shows no length: at most 1,000 characters.',
    Type.String({ maxLength: 1000, examples: ['What visitors see first'] }),
  ),
)

const screenIds = Assumed(
  'The specification shows an array of ids; that a screen is in one group, as its group_id says, and leaves another for it, is assumed.',
  Type.Array(Id('scr_'), { maxItems: LARGEST_GROUP, examples: [[demoId('scr_', 2)]] }),
)

export const GroupCreate = named(
  'GroupCreate',
  Type.Object({
    name,
    description: Type.Optional(description),
    screen_ids: Type.Optional(screenIds),
  }),
)

export const GroupUpdate = named(
  'GroupUpdate',
  Assumed(
    'The specification shows no body of the update: the fields of a new group, each optional.',
    Type.Partial(Type.Object({ name, description, screen_ids: screenIds })),
  ),
)

export const Group = named(
  'Group',
  Assumed(
    'The specification shows no response: what was sent, with id, number of screens and timestamps.',
    Type.Object({
      id: Id('grp_'),
      name,
      description,
      screen_ids: Type.Array(Id('scr_')),
      screens_count: Type.Integer({ minimum: 0 }),
      created_at: Instant(),
      updated_at: Instant(),
    }),
  ),
)

/** The example is a group of the demo that no schedule names, so that it can be deleted. */
export const GroupId = Type.Object({ group_id: Id('grp_', { examples: [demoId('grp_', 3)] }) })

export const GroupQuery = Type.Object(pageQuery)
