/** Wire shapes of schedules. Specification part 1, "Other signage records". */
import { Type } from '@sinclair/typebox'
import { Assumed, CalendarDate, Instant, named, Nullable, OneOf } from '../../../http/schemas/schemas.ts'
import { demoId, Id, pageQuery } from '../../../http/schemas/wireShapes.ts'
import { HIGHEST_PRIORITY, WEEKDAYS } from '../../../state/signage/tables.ts'
import { Name } from './common.ts'

const name = Name('Opening hours')

const MAX_RULES = 50
const MAX_SCREENS = 1000
const MAX_GROUPS = 100

const TIME = '([01]\\d|2[0-3]):[0-5]\\d'

const StartTime = () =>
  Type.String({
    pattern: `^${TIME}$`,
    maxLength: 5,
    'x-wording': 'must be a time of the day from 00:00 to 23:59',
    description:
      'Local time in the time zone of the workspace. A time that the end of daylight saving time repeats applies twice; a time that its start skips does not apply on that day (assumed).',
    examples: ['08:00'],
  })

const EndTime = () =>
  Type.String({
    pattern: `^(${TIME}|24:00)$`,
    maxLength: 5,
    'x-wording': 'must be a time of the day from 00:00 to 24:00',
    description:
      'The end of the rule, excluded. It is on the next day if it is not after time_start. 24:00 is the end of the day, and 23:59 includes the last minute of the day (assumed).',
    examples: ['18:00'],
  })

const ruleFields = {
  days: Type.Array(OneOf(WEEKDAYS), {
    minItems: 1,
    maxItems: 7,
    uniqueItems: true,
    description: 'The days on which the rule starts.',
    examples: [['monday', 'tuesday', 'wednesday', 'thursday', 'friday']],
  }),
  time_start: StartTime(),
  time_end: EndTime(),
}

const layoutId = Assumed(
  'The specification shows rules with a playlist. A layout instead of it is assumed, because the specification shows no other way to put a layout on a screen.',
  Nullable(Id('lay_')),
)

const SentRule = Type.Object({
  ...ruleFields,
  playlist_id: Type.Optional(Nullable(Id('plist_', { description: 'Required if layout_id is absent.' }))),
  layout_id: Type.Optional(layoutId),
})

const rules = Type.Array(SentRule, {
  minItems: 1,
  maxItems: MAX_RULES,
  description: `1 to ${String(MAX_RULES)} rules (assumed). If several apply, the first one wins.`,
  examples: [
    [
      {
        days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
        time_start: '08:00',
        time_end: '18:00',
        playlist_id: demoId('plist_'),
      },
    ],
  ],
})

const screenIds = Type.Array(Id('scr_'), { maxItems: MAX_SCREENS, examples: [[demoId('scr_')]] })

const groupIds = Assumed(
  'The specification shows schedules with screens, and a filter of the list by group. Assumed: a schedule can name groups.',
  Type.Array(Id('grp_'), { maxItems: MAX_GROUPS, examples: [[demoId('grp_')]] }),
)

const priority = Assumed(
  'The specification shows an integer. The simulator accepts 0 to 1000. The highest priority wins, then a schedule that names the screen itself, then the newest.',
  Type.Integer({
    minimum: 0,
    maximum: HIGHEST_PRIORITY,
    description: 'Default: 0.',
    examples: [10],
  }),
)

const day = (description: string, example: string) =>
  Nullable(CalendarDate({ maxLength: 10, description, examples: [example] }))

const start = day('The first day. null for no limit.', '2026-11-01')
const end = day('The last day, included. null for no limit.', '2099-12-31')

const dateRange = Nullable(Type.Object({ start: Type.Optional(start), end: Type.Optional(end) }))

const active = Type.Boolean({ description: 'Default: true (assumed).' })

export const ScheduleCreate = named(
  'ScheduleCreate',
  Type.Object({
    name,
    screen_ids: Type.Optional(screenIds),
    group_ids: Type.Optional(groupIds),
    priority: Type.Optional(priority),
    rules,
    date_range: Type.Optional(dateRange),
    active: Type.Optional(active),
  }),
)

export const ScheduleUpdate = named(
  'ScheduleUpdate',
  Assumed(
    'The specification does not show a body of the update. The simulator accepts the fields of a new schedule, all optional. A list or date_range replaces the previous value completely.',
    Type.Partial(
      Type.Object({
        name,
        screen_ids: screenIds,
        group_ids: groupIds,
        priority,
        rules,
        date_range: dateRange,
        active,
      }),
    ),
  ),
)

export const Rule = named(
  'ScheduleRule',
  Type.Object({ ...ruleFields, playlist_id: Nullable(Id('plist_')), layout_id: layoutId }),
)

export const Schedule = named(
  'Schedule',
  Assumed(
    'The specification does not show a response. The simulator returns the fields of the request with id and timestamps.',
    Type.Object({
      id: Id('sched_'),
      name,
      screen_ids: Type.Array(Id('scr_')),
      group_ids: Type.Array(Id('grp_')),
      priority,
      rules: Type.Array(Rule),
      date_range: Nullable(Type.Object({ start, end })),
      active,
      created_at: Instant(),
      updated_at: Instant(),
    }),
  ),
)

export const ScheduleId = Type.Object({ schedule_id: Id('sched_') })

export const ScheduleQuery = Type.Object({
  ...pageQuery,
  screen_id: Type.Optional(
    Id('scr_', { description: 'Matches schedules that name this screen or its group (assumed).' }),
  ),
  group_id: Type.Optional(
    Id('grp_', { description: 'Matches schedules that name this group or one of its screens (assumed).' }),
  ),
  active: Type.Optional(Type.Boolean()),
  from: Type.Optional(
    CalendarDate({
      description: 'Matches schedules that end on or after this day (assumed).',
      examples: ['2026-11-01'],
    }),
  ),
  to: Type.Optional(
    CalendarDate({
      description: 'Matches schedules that start on or before this day (assumed).',
      examples: ['2026-11-30'],
    }),
  ),
})
