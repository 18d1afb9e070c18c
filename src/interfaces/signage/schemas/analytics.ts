/** Wire shapes of analytics. Specification part 1, "Other signage records", "Signage". */
import { Type } from '@sinclair/typebox'
import { Assumed, Instant, named, Nullable, OneOf, SentEnd, SentInstant } from '../../../http/schemas.ts'
import { Id } from '../../../http/wireShapes.ts'
import { GROUPINGS } from '../../../state/signage/analytics.ts'

export const PlaybackQuery = Type.Object({
  screen_id: Type.Optional(Id('scr_')),
  media_id: Type.Optional(Id('med_')),
  playlist_id: Type.Optional(Id('plist_')),
  from: Type.Optional(
    SentInstant({
      description: 'What was played from here on; 30 days up to the end unless it is said (assumed).',
      examples: ['2026-11-01T00:00:00Z'],
    }),
  ),
  to: Type.Optional(
    SentEnd({
      description: 'What was played up to here; now unless it is said (assumed).',
      examples: ['2026-11-30T23:59:59Z'],
    }),
  ),
  group_by: OneOf(GROUPINGS, {
    default: 'media',
    description: 'media, whose rows are shown, unless it is said (assumed).',
  }),
})

const sums = {
  total_plays: Type.Integer({ minimum: 1 }),
  total_duration_seconds: Type.Number({ minimum: 0 }),
  unique_screens: Type.Integer({ minimum: 1 }),
  completion_rate: Type.Number({
    minimum: 0,
    maximum: 100,
    description: 'Percent of the plays that were played to the end, with one decimal (assumed).',
    examples: [98.5],
  }),
}

const RecordName = Nullable(
  Type.String({
    description:
      'One that was deleted since keeps the name that it had (assumed); null where it is not known.',
  }),
)

const otherRow = 'The specification shows the row of a medium; the others are made like it.'

const MediaRow = named(
  'MediaPlayback',
  Type.Object({ media_id: Id('med_'), media_name: RecordName, ...sums }),
)
const ScreenRow = named(
  'ScreenPlayback',
  Assumed(otherRow, Type.Object({ screen_id: Id('scr_'), screen_name: RecordName, ...sums })),
)
const PlaylistRow = named(
  'PlaylistPlayback',
  Assumed(
    otherRow,
    Type.Object({
      playlist_id: Nullable(Id('plist_', { description: 'null for what was played outside of a playlist.' })),
      playlist_name: RecordName,
      ...sums,
    }),
  ),
)
const DayRow = named(
  'DayPlayback',
  Assumed(otherRow, Type.Object({ day: Type.String({ format: 'date', examples: ['2026-11-21'] }), ...sums })),
)
const HourRow = named(
  'HourPlayback',
  Assumed(
    otherRow,
    Type.Object({
      hour: Type.String({
        description: 'When it begins, by the clocks in the time zone of the workspace.',
        pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:00$',
        examples: ['2026-11-21T09:00'],
      }),
      ...sums,
    }),
  ),
)

export const PlaybackReport = named(
  'PlaybackReport',
  Type.Object({
    data: Type.Array(Type.Union([MediaRow, ScreenRow, PlaylistRow, DayRow, HourRow]), {
      description:
        'By group_by. Records come with the most played first, at most 1,000 of them; days and hours in their order, those without a play left out (assumed).',
    }),
    meta: Type.Object({
      period: Type.Object({ from: Instant(), to: Instant() }),
      total_plays: Type.Integer({ minimum: 0 }),
    }),
  }),
)

export const ScreenStatusSummary = named(
  'ScreenStatusSummary',
  Type.Object({
    total_screens: Type.Integer({ minimum: 0 }),
    online: Type.Integer({ minimum: 0 }),
    offline: Type.Integer({ minimum: 0 }),
    standby: Type.Integer({ minimum: 0 }),
    average_uptime_percent: Assumed(
      'The specification shows no rule: the part of the time since it was paired that a screen was not offline, on the average of screens.',
      Nullable(
        Type.Number({
          minimum: 0,
          maximum: 100,
          description: 'null without screens.',
          examples: [99.2],
        }),
      ),
    ),
  }),
)
