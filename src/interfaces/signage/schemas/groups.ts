/** Wire shapes of groups. Specification part 1, "Other signage records". */
import { Type } from '@sinclair/typebox'
import { Assumed, Instant, named, Nullable } from '../../../http/schemas/schemas.ts'
import { demoId, Id, pageQuery } from '../../../http/schemas/wireShapes.ts'
import { MAX_GROUP_SCREENS } from '../../../state/signage/groups.ts'
import { Name } from './common.ts'

const name = Name('Showroom')

const description = Nullable(
  Assumed(
    'The specification does not show a length. The maximum is 1,000 characters.',
    Type.String({ maxLength: 1000, examples: ['What visitors see first'] }),
  ),
)

const screenIds = Assumed(
  'The specification shows an array of ids. Assumed: a screen is in one group at a time, as its group_id shows. It moves to this group from another one.',
  Type.Array(Id('scr_'), { maxItems: MAX_GROUP_SCREENS, examples: [[demoId('scr_', 2)]] }),
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
    'The specification does not show a body of the update. The simulator accepts the fields of a new group, all optional.',
    Type.Partial(Type.Object({ name, description, screen_ids: screenIds })),
  ),
)

export const Group = named(
  'Group',
  Assumed(
    'The specification does not show a response. The simulator returns the fields of the request with id, number of screens and timestamps.',
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

/** The example is a demo group that no schedule names, so that the example of DELETE works. */
export const GroupId = Type.Object({ group_id: Id('grp_', { examples: [demoId('grp_', 3)] }) })

export const GroupQuery = Type.Object(pageQuery)
