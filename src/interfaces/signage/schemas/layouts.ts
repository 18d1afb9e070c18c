/** Wire shapes of layouts. Specification part 1, "Other signage records". */
import { Type } from '@sinclair/typebox'
import { Assumed, Instant, named, Nullable, OneOf } from '../../../http/schemas/schemas.ts'
import { demoId, Id, pageQuery, Text } from '../../../http/schemas/wireShapes.ts'
import { CONTENT_TYPES, MAX_PIXELS, PERCENTAGE } from '../../../state/signage/tables.ts'
import { Name, Resolution } from './common.ts'

const name = Name('Main and ticker')

/** The maximum number of zones in a layout (assumed). */
const MAX_ZONES = 20

/** A number of pixels, or a percentage of the resolution. */
const Measure = (description: string, example: number | string) =>
  Type.Unsafe<number | string>({
    // `minimum` and `maximum` apply to numbers, `pattern` and `maxLength` to strings.
    type: ['number', 'string'],
    minimum: 0,
    maximum: MAX_PIXELS,
    pattern: PERCENTAGE,
    maxLength: 9,
    'x-wording': 'must be a number of pixels or a percentage from "0%" to "100%", with at most four decimals',
    description,
    examples: [example],
  })

const box = {
  x: Measure('The distance from the left, in pixels or as a percentage of the width.', 0),
  y: Measure('The distance from the top, in pixels or as a percentage of the height.', 0),
  width: Measure('In pixels or as a percentage of the width.', '100%'),
  height: Measure('In pixels or as a percentage of the height.', '100%'),
}

const contentType = Assumed(
  'The specification shows only playlist. A single medium is assumed, because the specification refuses to delete a medium that a layout uses.',
  OneOf(CONTENT_TYPES),
)

const zoneId = Text(100, 'main', { description: 'The name of the zone, unique within the layout.' })

const SentZone = Type.Object({
  id: Type.Optional(zoneId),
  ...box,
  content_type: Type.Optional(Nullable(contentType)),
  content_id: Type.Optional(
    Nullable(Id('plist_', { description: 'The id of the playlist or medium. null leaves the zone empty.' })),
  ),
})

const zones = Type.Array(SentZone, {
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
})

export const LayoutCreate = named('LayoutCreate', Type.Object({ name, resolution: Resolution(), zones }))

export const LayoutUpdate = named(
  'LayoutUpdate',
  Assumed(
    'The specification does not show a body of the update. The simulator accepts the fields of a new layout, all optional. zones replaces all zones.',
    Type.Partial(Type.Object({ name, resolution: Resolution(), zones })),
  ),
)

export const zoneFields = {
  id: zoneId,
  ...box,
  content_type: Nullable(contentType),
  content_id: Nullable(
    Id('plist_', {
      description: 'null if the zone is empty, for example because its medium was deleted with force=true.',
    }),
  ),
}

export const Layout = named(
  'Layout',
  Assumed(
    'The specification does not show a response. The simulator returns the fields of the request with id and timestamps.',
    Type.Object({
      id: Id('lay_'),
      name,
      resolution: Resolution(),
      zones: Type.Array(named('LayoutZone', Type.Object(zoneFields))),
      created_at: Instant(),
      updated_at: Instant(),
    }),
  ),
)

/** The example is a demo layout that no schedule uses, so that the example of DELETE works. */
export const LayoutId = Type.Object({ layout_id: Id('lay_', { examples: [demoId('lay_', 2)] }) })

export const LayoutQuery = Type.Object(pageQuery)
