/** Wire shapes of schedules. Specification part 1, "Other signage records". */
import { Type } from '@sinclair/typebox'
import { Assumed, CalendarDate, Instant, named, Nullable, OneOf } from '../../../http/schemas.ts'
import { demoId, Id, pageQuery } from '../../../http/wireShapes.ts'
import { HIGHEST_PRIORITY } from '../../../state/signage/schedules.ts'
import { WEEKDAYS } from '../../../state/signage/tables.ts'
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
      'By the local clock in the time zone of the workspace. A time that the end of daylight saving time repeats holds both times, and one that its beginning skips does not hold on that day (assumed).',
    examples: ['08:00'],
  })

const EndTime = () =>
  Type.String({
    pattern: `^(${TIME}|24:00)$`,
    maxLength: 5,
    'x-wording': 'must be a time of the day from 00:00 to 24:00',
    description:
      'From then on it holds no more; on the next day where it is not after time_start. 24:00 is the end of the day, and 23:59 covers the last minute of the day as well (assumed).',
    examples: ['18:00'],
  })

const ruleFields = {
  days: Type.Array(OneOf(WEEKDAYS), {
    minItems: 1,
    maxItems: 7,
    uniqueItems: true,
    description: 'The days on which it begins.',
    examples: [['monday', 'tuesday', 'wednesday', 'thursday', 'friday']],
  }),
  time_start: StartTime(),
  time_end: EndTime(),
}

const layoutId = Assumed(
  'Rules are shown with a playlist; that a layout may stand in its place is assumed, for nothing else shows how one comes to a screen.',
  Nullable(Id('lay_')),
)

const SentRule = Type.Object({
  ...ruleFields,
  playlist_id: Type.Optional(Nullable(Id('plist_', { description: 'Required, unless a layout is named.' }))),
  layout_id: Type.Optional(layoutId),
})

const rules = Type.Array(SentRule, {
  minItems: 1,
  maxItems: MAX_RULES,
  description: `1 to ${String(MAX_RULES)} (assumed); where several hold, the first of them counts.`,
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
  'Schedules are shown with screens, and lists of them are filtered by group: that a schedule may name groups is assumed.',
  Type.Array(Id('grp_'), { maxItems: MAX_GROUPS, examples: [[demoId('grp_')]] }),
)

const priority = Assumed(
  'The specification shows an integer: from 0 to 1000, as players have it; the highest wins, then a schedule of the screen over one of its group, then the newest.',
  Type.Integer({
    minimum: 0,
    maximum: HIGHEST_PRIORITY,
    description: '0 unless it is said.',
    examples: [10],
  }),
)

const day = (description: string, example: string) =>
  Nullable(CalendarDate({ maxLength: 10, description, examples: [example] }))

const start = day('The first day; null where there is none.', '2026-11-01')
const end = day('The last day; null where there is none.', '2099-12-31')

const dateRange = Nullable(Type.Object({ start: Type.Optional(start), end: Type.Optional(end) }))

const active = Type.Boolean({ description: 'true unless it is said (assumed).' })

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
    'The specification shows no body of the update: the fields of a new schedule, each optional; lists take the place of all there was, and so does date_range.',
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
    'The specification shows no response: what was sent, with id and timestamps.',
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
    Id('scr_', { description: 'Schedules that name this screen or its group (assumed).' }),
  ),
  group_id: Type.Optional(
    Id('grp_', { description: 'Schedules that name this group or a screen of it (assumed).' }),
  ),
  active: Type.Optional(Type.Boolean()),
  from: Type.Optional(
    CalendarDate({
      description: 'Schedules that do not end before this day (assumed).',
      examples: ['2026-11-01'],
    }),
  ),
  to: Type.Optional(
    CalendarDate({
      description: 'Schedules that do not begin after this day (assumed).',
      examples: ['2026-11-30'],
    }),
  ),
})
