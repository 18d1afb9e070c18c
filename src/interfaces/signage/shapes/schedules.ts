/** Schedules on the wire. Specification part 1, "Other signage records". */
import { Type } from '@sinclair/typebox'
import { Assumed, CalendarDate, Nullable } from '../../../http/schemas/schemas.ts'
import { assumedPage, demoId, Id, pageQuery } from '../../../http/schemas/wireShapes.ts'
import { lookupBy } from '../../../http/shapes/fields.ts'
import { made, madeFrom, shape } from '../../../http/shapes/shape.ts'
import { namedGroups, namedScreens, rulesOf } from '../../../state/signage/schedules.ts'
import { scheduleRules, schedules } from '../../../state/signage/tables.ts'
import { nameField, PAGED_LIKE_ALL } from './common.ts'

const MAX_RULES = 50
const MAX_SCREENS = 1000
const MAX_GROUPS = 100

const TIME = '([01]\\d|2[0-3]):[0-5]\\d'

/** Formats minutes after midnight as "08:00". */
const timeOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

export const Rule = shape({ item: 'ScheduleRule' }, scheduleRules, {
  fields: () => ({
    days: {
      sent: 'create',
      required: true,
      bounded: true,
      words: {
        maxItems: 7,
        description: 'The days on which the rule starts.',
        examples: [['monday', 'tuesday', 'wednesday', 'thursday', 'friday']],
      },
    },
    time_start: {
      ...made(
        Type.String({
          pattern: `^${TIME}$`,
          maxLength: 5,
          'x-wording': 'must be a time of the day from 00:00 to 23:59',
          description:
            'Local time in the time zone of the workspace. A time that the end of daylight saving time repeats applies twice; a time that its start skips does not apply on that day (assumed).',
          examples: ['08:00'],
        }),
        [scheduleRules.startMinute],
        ([minute]) => timeOf(minute),
      ),
      sent: 'create',
      required: true,
    },
    time_end: {
      ...made(
        Type.String({
          pattern: `^(${TIME}|24:00)$`,
          maxLength: 5,
          'x-wording': 'must be a time of the day from 00:00 to 24:00',
          description:
            'The end of the rule, excluded. It is on the next day if it is not after time_start. 24:00 is the end of the day, and 23:59 includes the last minute of the day (assumed).',
          examples: ['18:00'],
        }),
        [scheduleRules.endMinute],
        ([minute]) => timeOf(minute),
      ),
      sent: 'create',
      required: true,
    },
    playlist_id: {
      sent: 'create',
      schema: Id('plist_'),
      body: Id('plist_', { description: 'Required if layout_id is absent.' }),
    },
    layout_id: {
      sent: 'create',
      assumed:
        'The specification shows rules with a playlist. A layout instead of it is assumed, because the specification shows no other way to put a layout on a screen.',
      schema: Id('lay_'),
    },
  }),
})

const day = (description: string, example: string) =>
  Nullable(CalendarDate({ maxLength: 10, description, examples: [example] }))

const start = day('The first day. null for no limit.', '2026-11-01')
const end = day('The last day, included. null for no limit.', '2099-12-31')

export const Schedule = shape(
  { item: 'Schedule', create: 'ScheduleCreate', update: 'ScheduleUpdate' },
  schedules,
  {
    assumed:
      'The specification does not show the response; a record has the fields of the request with id and timestamps, and no envelope.',
    fields: () => ({
      id: { schema: Id('sched_') },
      name: { ...nameField('Opening hours'), sent: 'both', required: true },
      screen_ids: {
        ...madeFrom(Type.Array(Id('scr_')), lookupBy(schedules.id, namedScreens.ofEach), (named = []) =>
          named.map(({ id }) => id),
        ),
        sent: 'both',
        body: Type.Array(Id('scr_'), { maxItems: MAX_SCREENS, examples: [[demoId('scr_')]] }),
      },
      group_ids: {
        ...madeFrom(Type.Array(Id('grp_')), lookupBy(schedules.id, namedGroups.ofEach), (named = []) =>
          named.map(({ id }) => id),
        ),
        sent: 'both',
        body: Assumed(
          'The specification shows schedules with screens, and a filter of the list by group. Assumed: a schedule can name groups.',
          Type.Array(Id('grp_'), { maxItems: MAX_GROUPS, examples: [[demoId('grp_')]] }),
        ),
      },
      priority: {
        sent: 'both',
        bounded: true,
        words: {
          description:
            'The highest priority wins, then a schedule that names the screen itself, then the newest. Default: 0 (assumed).',
          examples: [10],
        },
      },
      rules: {
        ...madeFrom(Type.Array(Rule.item), lookupBy(schedules.id, rulesOf.ofEach), (rules = [], workspace) =>
          Rule.views(rules, workspace),
        ),
        sent: 'both',
        required: true,
        body: Type.Array(Rule.create, {
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
        }),
      },
      date_range: {
        ...made(
          Nullable(Type.Object({ start, end })),
          [schedules.startDate, schedules.endDate],
          ([start, end]) => (start === null && end === null ? null : { start, end }),
        ),
        sent: 'both',
        body: Nullable(Type.Object({ start: Type.Optional(start), end: Type.Optional(end) })),
      },
      active: { sent: 'both', words: { description: 'Default: true (assumed).' } },
      created_at: {},
      updated_at: {},
    }),
    update: Assumed(
      'The specification does not show a body of the update. The simulator accepts the fields of a new schedule, all optional. A list or date_range replaces the previous value completely.',
      {},
    ),
  },
)

export const ScheduleId = Type.Object({ schedule_id: Id('sched_') })

export const ScheduleQuery = Type.Object({
  ...assumedPage(PAGED_LIKE_ALL, pageQuery),
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
