/** Wire shapes of analytics. Specification part 1, "Other signage records", "Signage". */
import { Type } from '@sinclair/typebox'
import {
  Assumed,
  assumedDefault,
  Instant,
  named,
  Nullable,
  OneOf,
  SentEnd,
  SentInstant,
} from '../../../http/schemas/schemas.ts'
import { Id } from '../../../http/schemas/wireShapes.ts'
import { GROUPINGS } from '../../../state/signage/analytics.ts'
import { ofEachState } from '../../../state/model/machine.ts'
import { screenMachine } from '../../../state/signage/machines.ts'

export const PlaybackQuery = Type.Object({
  screen_id: Type.Optional(Id('scr_')),
  media_id: Type.Optional(Id('med_')),
  playlist_id: Type.Optional(Id('plist_')),
  from: Type.Optional(
    SentInstant({
      description: 'The start of the period. Default: 30 days before the end (assumed).',
      examples: ['2026-11-01T00:00:00Z'],
    }),
  ),
  to: Type.Optional(
    SentEnd({
      description: 'The end of the period, included. Default: now (assumed).',
      examples: ['2026-11-30T23:59:59Z'],
    }),
  ),
  group_by: OneOf(GROUPINGS, {
    ...assumedDefault('media'),
    description: 'Default: media, whose rows the specification shows (assumed).',
  }),
})

const sums = {
  total_plays: Type.Integer({ minimum: 1 }),
  total_duration_seconds: Type.Number({ minimum: 0 }),
  unique_screens: Type.Integer({ minimum: 1 }),
  completion_rate: Type.Number({
    minimum: 0,
    maximum: 100,
    description: 'The percentage of plays that reached the end, with one decimal (assumed).',
    examples: [98.5],
  }),
}

const RecordName = Nullable(
  Type.String({
    description: 'A deleted record keeps its last name (assumed). null if the name is unknown.',
  }),
)

const otherRow =
  'The specification shows only the row of a medium. The other rows have the same sums, and name what they count by.'

const MediaRow = named(
  'MediaPlayback',
  Type.Object({ media_id: Id('med_'), media_name: RecordName, ...sums }),
)
const ScreenRow = named(
  'ScreenPlayback',
  Type.Object({
    screen_id: Assumed(otherRow, Id('scr_')),
    screen_name: Assumed(otherRow, RecordName),
    ...sums,
  }),
)
const PlaylistRow = named(
  'PlaylistPlayback',
  Type.Object({
    playlist_id: Assumed(
      otherRow,
      Nullable(Id('plist_', { description: 'null for playbacks outside a playlist.' })),
    ),
    playlist_name: Assumed(otherRow, RecordName),
    ...sums,
  }),
)
const DayRow = named(
  'DayPlayback',
  Type.Object({
    day: Assumed(otherRow, Type.String({ format: 'date', examples: ['2026-11-21'] })),
    ...sums,
  }),
)
const HourRow = named(
  'HourPlayback',
  Type.Object({
    hour: Assumed(
      otherRow,
      Type.String({
        description:
          'The start of the hour, as local time in the time zone of the workspace with its UTC offset.',
        pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:00[+-]\\d{2}:\\d{2}$',
        examples: ['2026-11-21T09:00-05:00'],
      }),
    ),
    ...sums,
  }),
)

export const PlaybackReport = named(
  'PlaybackReport',
  Type.Object({
    data: Type.Array(Type.Union([MediaRow, ScreenRow, PlaylistRow, DayRow, HourRow]), {
      description:
        'The rows depend on group_by. Records are sorted by plays, descending, and limited to 1,000. Days and hours are in chronological order; those without plays are left out (assumed).',
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
    ...ofEachState(screenMachine, () => Type.Integer({ minimum: 0 })),
    average_uptime_percent: Nullable(
      Type.Number({
        minimum: 0,
        maximum: 100,
        description:
          'The average, over all screens, of the share of time since pairing in which the screen was not offline (assumed). null if no screen exists.',
        examples: [99.2],
      }),
    ),
  }),
)
