/** Wire shapes of layouts. Specification part 1, "Other signage records". */
import { Type } from '@sinclair/typebox'
import { Assumed, Instant, named, Nullable, OneOf } from '../../../http/schemas.ts'
import { demoId, Id, pageQuery, Text } from '../../../http/wireShapes.ts'
import { MAX_PIXELS, PERCENTAGE } from '../../../state/signage/layouts.ts'
import { CONTENT_TYPES } from '../../../state/signage/tables.ts'
import { Name, Resolution } from './common.ts'

const name = Name('Main and ticker')

/** Zones that a layout may have (assumed). */
const MAX_ZONES = 20

/** Pixels, or a percentage of the resolution. */
const Measure = (what: string, example: number | string) =>
  Type.Unsafe<number | string>({
    // What is said of numbers holds for these, and what is said of texts for those.
    type: ['number', 'string'],
    minimum: 0,
    maximum: MAX_PIXELS,
    pattern: PERCENTAGE,
    maxLength: 9,
    'x-wording': 'must be a number of pixels or a percentage from "0%" to "100%", with at most four decimals',
    description: what,
    examples: [example],
  })

const box = {
  x: Measure('From the left, in pixels or percent of the width.', 0),
  y: Measure('From the top, in pixels or percent of the height.', 0),
  width: Measure('In pixels or percent of the width.', '100%'),
  height: Measure('In pixels or percent of the height.', '100%'),
}

const contentType = Assumed(
  'playlist is the value shown; a medium by itself is assumed, for a medium that a layout uses cannot be deleted.',
  OneOf(CONTENT_TYPES),
)

const zoneId = Text(100, 'main', { description: 'How the layout calls the zone; no two of it are the same.' })

const SentZone = Type.Object({
  id: Type.Optional(zoneId),
  ...box,
  content_type: Type.Optional(Nullable(contentType)),
  content_id: Type.Optional(
    Nullable(Id('plist_', { description: 'The playlist or the medium; null shows nothing.' })),
  ),
})

const zones = Type.Array(SentZone, {
  minItems: 1,
  maxItems: MAX_ZONES,
  description: `1 to ${String(MAX_ZONES)} (assumed), which may overlap: later ones lie on top. Each lies within the resolution.`,
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
    'The specification shows no body of the update: the fields of a new layout, each optional; zones take the place of all there were.',
    Type.Partial(Type.Object({ name, resolution: Resolution(), zones })),
  ),
)

export const zoneFields = {
  id: zoneId,
  ...box,
  content_type: Nullable(contentType),
  content_id: Nullable(
    Id('plist_', { description: 'null where nothing is shown: its medium was deleted by force.' }),
  ),
}

export const Layout = named(
  'Layout',
  Assumed(
    'The specification shows no response: what was sent, with id and timestamps.',
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

/** The example is one that no schedule has, so that it can be deleted. */
export const LayoutId = Type.Object({ layout_id: Id('lay_', { examples: [demoId('lay_', 2)] }) })

export const LayoutQuery = Type.Object(pageQuery)
