/** Schedules. Specification part 1, "Signage"; routes in the order of operations.tsv. */
import type { Static } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { NO_CONTENT } from '../../http/definition/operation.ts'
import { numberedCollection } from '../../http/lists/collection.ts'
import { pageMeta, PageOf } from '../../http/schemas/wireShapes.ts'
import { documented, documentedBut } from '../../state/model/fidelity.ts'
import { refuse } from '../../state/model/refusal.ts'
import { groups } from '../../state/signage/groups.ts'
import {
  createSchedule,
  deleteSchedule,
  schedules as scheduleRecords,
  updateSchedule,
  type ScheduleFields,
  type SentRule,
} from '../../state/signage/schedules.ts'
import { screens } from '../../state/signage/screenRecords.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { Schedule, ScheduleId, ScheduleQuery, type Rule } from './shapes/schedules.ts'

const collection = numberedCollection({
  records: scheduleRecords,
  rendering: Schedule.rendering(),
  sort: 'created_at',
  meta: pageMeta,
})

const WRITE = 'grid:schedules:write'

export const schedules: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Schedules' })
  const list = at('/schedules')
  const item = at('/schedules/:schedule_id', { params: ScheduleId, record: scheduleRecords })

  list.get({
    id: 'listSchedules',
    order: collection.order,
    summary: 'List schedules',
    fidelity: documentedBut(
      'Assumed: the list is paged like all lists, and the newest schedule comes first. screen_id also matches schedules of its group, and group_id those of its screens. from and to match schedules that overlap the range; a schedule without dates always matches.',
    ),
    names: { screen_id: screens, group_id: groups },
    query: ScheduleQuery,
    answers: { 200: PageOf(Schedule.item) },
    run({ query: { screen_id, group_id, active, from, to, ...query }, caller }) {
      if (from !== undefined && to !== undefined && from > to) {
        const detail = { field: 'to', code: 'out_of_order', message: 'to must not be before from' }
        refuse('invalid_query', `Query: ${detail.message}`, { details: [detail] })
      }
      return collection.page(caller, query, {
        screen_id,
        group_id,
        from,
        to,
        ...(active !== undefined && { active: Number(active) }),
      })
    },
  })

  list.post({
    id: 'createSchedule',
    summary: 'Create a schedule',
    scope: WRITE,
    fidelity: documentedBut(
      'Assumed: name and rules are required. Times are local times in the time zone of the workspace. A rule whose time_end is not after its time_start crosses midnight and belongs to the day on which it starts. 24:00 is the end of the day, and 23:59 includes the last minute. The hour that the end of daylight saving time repeats plays twice; the hour that its start skips does not play. Schedules can overlap. A screen or a group has at most 100 schedules.',
    ),
    body: Schedule.create,
    answers: { 201: Schedule.item },
    refuses: ['conflict'],
    run({ body, workspace }) {
      const { name, rules } = body
      const schedule = createSchedule(workspace, {
        ...fieldsOf(workspace, body),
        name,
        rules: rules.map(ruleFromWire),
      })
      return collection.text(workspace, schedule)
    },
  })

  item.get({
    id: 'getSchedule',
    summary: 'Get a schedule',
    fidelity: documented,
    answers: { 200: Schedule.item },
    run: ({ params, workspace }) => collection.get(workspace, params.schedule_id),
  })

  item.patch({
    id: 'updateSchedule',
    summary: 'Update a schedule',
    description:
      'Changes only the fields in the request body. A list or date_range replaces the previous value completely.',
    fidelity: documentedBut(
      'Assumed: an update that changes nothing keeps the time of the last change and sends no event.',
    ),
    body: Schedule.update,
    answers: { 200: Schedule.item },
    refuses: ['conflict'],
    run: ({ record: schedule, body, workspace }) =>
      collection.text(workspace, updateSchedule(workspace, schedule, fieldsOf(workspace, body))),
  })

  item.delete({
    id: 'deleteSchedule',
    summary: 'Delete a schedule',
    fidelity: documented,
    answers: NO_CONTENT,
    run: ({ record, workspace }) => {
      deleteSchedule(workspace, record)
    },
  })
}

/** Converts the body of a creation or an update. */
function fieldsOf(workspace: Workspace, body: Static<typeof Schedule.update>): ScheduleFields {
  const { rules, screen_ids: screenIds, group_ids: groupIds, date_range: range } = body
  return {
    ...Schedule.parse(workspace, body),
    ...(rules && { rules: rules.map(ruleFromWire) }),
    ...(screenIds && { screenIds }),
    ...(groupIds && { groupIds }),
    ...(range !== undefined && { startDate: range?.start ?? null, endDate: range?.end ?? null }),
  }
}

const ruleFromWire = (rule: Static<typeof Rule.create>): SentRule => ({
  days: rule.days,
  startMinute: minuteOf(rule.time_start),
  endMinute: minuteOf(rule.time_end),
  playlistId: rule.playlist_id ?? null,
  layoutId: rule.layout_id ?? null,
})

/** Converts "08:30" to minutes after midnight. */
function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}
