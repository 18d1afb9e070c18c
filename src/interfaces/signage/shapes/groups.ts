/** Groups on the wire. Specification part 1, "Other signage records". */
import { Type } from '@sinclair/typebox'
import { Assumed } from '../../../http/schemas/schemas.ts'
import { assumedPage, demoId, Id, pageQuery } from '../../../http/schemas/wireShapes.ts'
import { lookupBy } from '../../../http/shapes/fields.ts'
import { madeFrom, shape } from '../../../http/shapes/shape.ts'
import { MAX_GROUP_SCREENS, screensOf } from '../../../state/signage/groups.ts'
import { groups } from '../../../state/signage/tables.ts'
import { nameField, PAGED_LIKE_ALL } from './common.ts'

const screensOfEach = lookupBy(groups.id, screensOf.ofEach)

export const Group = shape({ item: 'Group', create: 'GroupCreate', update: 'GroupUpdate' }, groups, {
  assumed:
    'The specification does not show the response; a record has the fields of the request with id, number of screens and timestamps, and no envelope.',
  fields: () => ({
    id: { schema: Id('grp_') },
    name: { ...nameField('Showroom'), sent: 'both', required: true },
    description: {
      sent: 'both',
      bounded: true,
      words: { examples: ['What visitors see first'] },
    },
    screen_ids: {
      ...madeFrom(Type.Array(Id('scr_')), screensOfEach, (screens = []) => screens.map(({ id }) => id)),
      sent: 'both',
      body: Type.Array(Id('scr_'), {
        maxItems: MAX_GROUP_SCREENS,
        description:
          'A screen is in one group at a time, as its group_id shows. It moves to this group from another one (assumed).',
        examples: [[demoId('scr_', 2)]],
      }),
    },
    screens_count: madeFrom(Type.Integer({ minimum: 0 }), screensOfEach, (screens = []) => screens.length),
    created_at: {},
    updated_at: {},
  }),
  update: Assumed(
    'The specification does not show a body of the update. The simulator accepts the fields of a new group, all optional.',
    {},
  ),
})

/** The example is a demo group that no schedule names, so that the example of DELETE works. */
export const GroupId = Type.Object({ group_id: Id('grp_', { examples: [demoId('grp_', 3)] }) })

export const GroupQuery = Type.Object(assumedPage(PAGED_LIKE_ALL, pageQuery))
