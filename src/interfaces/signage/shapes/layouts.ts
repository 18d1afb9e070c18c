/** Layouts on the wire. Specification part 1, "Other signage records". */
import { Type } from '@sinclair/typebox'
import { Assumed, assumedValues, Nullable } from '../../../http/schemas/schemas.ts'
import { assumedPage, demoId, Id, pageQuery, Text } from '../../../http/schemas/wireShapes.ts'
import { lookupBy } from '../../../http/shapes/fields.ts'
import { made, madeFrom, shape } from '../../../http/shapes/shape.ts'
import { zonesOf } from '../../../state/signage/layouts.ts'
import { layouts, layoutZones } from '../../../state/signage/tables.ts'
import { nameField, PAGED_LIKE_ALL, resolutionField } from './common.ts'

/** The maximum number of zones in a layout (assumed). */
const MAX_ZONES = 20

/** A number of pixels, or a percentage of the resolution. `range` is in the words of errors. */
const measure = (description: string, example: number | string, range = 'from "0%" to "100%"') =>
  ({
    sent: 'create',
    required: true,
    bounded: true,
    words: {
      maxLength: 9,
      'x-wording': `must be a number of pixels or a percentage ${range}, with at most four decimals`,
      description,
      examples: [example],
    },
  }) as const

const ABOVE_ZERO = 'above "0%" and at most "100%"'

export const Zone = shape({ item: 'LayoutZone' }, layoutZones, {
  fields: () => ({
    id: {
      ...made(
        Text(100, 'main', { description: 'The name of the zone, unique within the layout.' }),
        [layoutZones.name],
        ([name]) => name,
      ),
      sent: 'create',
    },
    x: measure('The distance from the left, in pixels or as a percentage of the width.', 0),
    y: measure('The distance from the top, in pixels or as a percentage of the height.', 0),
    width: measure('In pixels or as a percentage of the width.', '100%', ABOVE_ZERO),
    height: measure('In pixels or as a percentage of the height.', '100%', ABOVE_ZERO),
    content_type: {
      sent: 'create',
      words: assumedValues(
        'The specification shows only playlist. A single medium is assumed, because the specification refuses to delete a medium that a layout uses.',
        'media',
      ),
    },
    content_id: {
      ...made(
        Nullable(
          Id('plist_', {
            description:
              'null if the zone is empty, for example because its medium was deleted with force=true.',
          }),
        ),
        [layoutZones.playlistId, layoutZones.mediaId],
        ([playlistId, mediaId]) => playlistId ?? mediaId,
      ),
      sent: 'create',
      body: Nullable(
        Id('plist_', { description: 'The id of the playlist or medium. null leaves the zone empty.' }),
      ),
    },
  }),
})

export const zonesOfEach = lookupBy(layouts.id, zonesOf.ofEach)

export const Layout = shape({ item: 'Layout', create: 'LayoutCreate', update: 'LayoutUpdate' }, layouts, {
  assumed:
    'The specification does not show the response; a record has the fields of the request with id and timestamps, and no envelope.',
  fields: () => ({
    id: { schema: Id('lay_') },
    name: { ...nameField('Main and ticker'), sent: 'both', required: true },
    resolution: { ...resolutionField, sent: 'both', required: true },
    zones: {
      ...madeFrom(Type.Array(Zone.item), zonesOfEach, (zones = [], workspace) =>
        Zone.views(zones, workspace),
      ),
      sent: 'both',
      required: true,
      body: Type.Array(Zone.create, {
        minItems: 1,
        maxItems: MAX_ZONES,
        description: `1 to ${String(MAX_ZONES)} zones (assumed). Zones can overlap; later zones cover earlier ones. Each zone must be within the resolution.`,
        examples: [
          [
            {
              id: 'main',
              x: 0,
              y: 0,
              width: '100%',
              height: '80%',
              content_type: 'playlist',
              content_id: demoId('plist_'),
            },
            {
              id: 'ticker',
              x: 0,
              y: '80%',
              width: '100%',
              height: '20%',
              content_type: 'media',
              content_id: demoId('med_'),
            },
          ],
        ],
      }),
    },
    created_at: {},
    updated_at: {},
  }),
  update: Assumed(
    'The specification does not show a body of the update. The simulator accepts the fields of a new layout, all optional. zones replaces all zones.',
    {},
  ),
})

/** The example is a demo layout that no schedule uses, so that the example of DELETE works. */
export const LayoutId = Type.Object({ layout_id: Id('lay_', { examples: [demoId('lay_', 2)] }) })

export const LayoutQuery = Type.Object(assumedPage(PAGED_LIKE_ALL, pageQuery))
