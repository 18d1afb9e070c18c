/** Schedules. Specification part 1, "Signage"; routes in the order of operations.tsv. */
import type { Static } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { NO_CONTENT, checkFirst, noContent, operationsOf } from '../../http/definition/operation.ts'
import { numberedPage } from '../../http/lists/pages.ts'
import type { Rendering } from '../../http/shapes/renderings.ts'
import { everyCallerIn, cachedResponse } from '../../http/lists/responseCache.ts'
import { pageMeta, PageOf } from '../../http/schemas/wireShapes.ts'
import { documentedBut } from '../../state/model/fidelity.ts'
import { refuse } from '../../state/model/refusal.ts'
import { groups } from '../../state/signage/groups.ts'
import type { ScheduleDetails } from '../../state/signage/details.ts'
import {
  createSchedule,
  deleteSchedule,
  findSchedule,
  schedules as scheduleRecords,
  findScheduleDetails,
  updateSchedule,
  type ScheduleFields,
  type SentRule,
} from '../../state/signage/schedules.ts'
import { screens } from '../../state/signage/screenRecords.ts'
import { Schedule, ScheduleCreate, ScheduleId, ScheduleQuery, ScheduleUpdate } from './schemas/schedules.ts'
import { scheduleView } from './views.ts'

/** Renders schedules. Screens and groups are in other tables, so the result is not cached per record. */
const scheduleText: Rendering<ScheduleDetails> = {
  one: (_workspace, schedule) => JSON.stringify(scheduleView(schedule)),
  many: (workspace, heads) =>
    findScheduleDetails(
      workspace,
      heads.map(({ id }) => id),
    )
      .map((schedule) => scheduleText.one(workspace, schedule))
      .join(','),
}

const scheduleOperation = operationsOf({ tag: 'Schedules' })

/** The read scope is derived from grid:schedules:write, which the specification shows. */
const READ = 'grid:schedules:read'
const WRITE = 'grid:schedules:write'

export const schedules: Resource = async (app) => {
  app.get(
    '/schedules',
    {
      schema: { querystring: ScheduleQuery },
      config: scheduleOperation({
        id: 'listSchedules',
        summary: 'List schedules',
        scope: READ,
        fidelity: documentedBut(
          'Assumed: the scope, derived from the write scope. The list is paged like all lists, and the newest schedule comes first. screen_id also matches schedules of its group, and group_id those of its screens. from and to match schedules that overlap the range; a schedule without dates always matches.',
        ),
        names: { screen_id: screens, group_id: groups },
        answers: { 200: PageOf(Schedule) },
      }),
    },
    ({ query, workspace }) => {
      const { page, per_page: perPage, active, ...filters } = query
      const { from, to } = filters
      if (from !== undefined && to !== undefined && from > to) {
        const detail = { field: 'to', code: 'out_of_order', message: 'to must not be before from' }
        refuse('invalid_query', `Query: ${detail.message}`, { details: [detail] })
      }
      return numberedPage(
        'signage schedules',
        scheduleRecords.list,
        scheduleText,
        everyCallerIn(workspace),
        { page, perPage, sort: 'created_at', order: 'desc' },
        { ...filters, ...(active !== undefined && { active: Number(active) }) },
        pageMeta,
      )
    },
  )

  app.post(
    '/schedules',
    {
      schema: { body: ScheduleCreate },
      config: scheduleOperation({
        id: 'createSchedule',
        summary: 'Create a schedule',
        scope: WRITE,
        fidelity: documentedBut(
          'Assumed: name and rules are required. Times are local times in the time zone of the workspace. A rule whose time_end is not after its time_start crosses midnight and belongs to the day on which it starts. 24:00 is the end of the day, and 23:59 includes the last minute. The hour that the end of daylight saving time repeats plays twice; the hour that its start skips does not play. Schedules can overlap. A screen or a group has at most 100 schedules.',
        ),
        answers: { 201: Schedule },
        refuses: ['conflict'],
      }),
    },
    ({ body, workspace }, reply) => {
      const { name, rules } = body
      const fields = { ...fromWire(body), name, rules: rules.map(ruleFromWire) }
      const schedule = createSchedule(workspace, fields)
      reply.code(201)
      return scheduleText.one(workspace, schedule)
    },
  )

  app.get(
    '/schedules/:schedule_id',
    {
      schema: { params: ScheduleId },
      config: scheduleOperation({
        id: 'getSchedule',
        summary: 'Get a schedule',
        scope: READ,
        fidelity: documentedBut(
          'Assumed: the scope, derived from the write scope. The response has no envelope.',
        ),
        answers: { 200: Schedule },
      }),
    },
    ({ params, workspace }) =>
      cachedResponse(everyCallerIn(workspace), `schedule ${params.schedule_id}`, () =>
        scheduleText.one(workspace, findSchedule(workspace, params.schedule_id)),
      ),
  )

  app.patch(
    '/schedules/:schedule_id',
    {
      preValidation: mustExist,
      schema: { params: ScheduleId, body: ScheduleUpdate },
      config: scheduleOperation({
        id: 'updateSchedule',
        summary: 'Update a schedule',
        description:
          'Changes only the fields in the request body. A list or date_range replaces the previous value completely.',
        scope: WRITE,
        fidelity: documentedBut(
          'Assumed: the scope of the creation and the body. An update without fields changes nothing.',
        ),
        answers: { 200: Schedule },
        refuses: ['conflict'],
      }),
    },
    ({ params, body, workspace }) =>
      scheduleText.one(
        workspace,
        updateSchedule(workspace, findSchedule(workspace, params.schedule_id), fromWire(body)),
      ),
  )

  app.delete(
    '/schedules/:schedule_id',
    {
      schema: { params: ScheduleId },
      config: scheduleOperation({
        id: 'deleteSchedule',
        summary: 'Delete a schedule',
        scope: WRITE,
        fidelity: documentedBut('Assumed: the scope of the creation.'),
        answers: NO_CONTENT,
      }),
    },
    ({ params, workspace }, reply) => {
      deleteSchedule(workspace, scheduleRecords.get(workspace, params.schedule_id))
      noContent(reply)
    },
  )
}

/** Refuses an unknown schedule before the body is validated. */
const mustExist = checkFirst<{ schedule_id: string }>(({ workspace }, params) =>
  scheduleRecords.getHead(workspace, params.schedule_id),
)

type Sent = Static<typeof ScheduleUpdate>

function fromWire({ name, priority, active, ...more }: Sent): ScheduleFields {
  const { rules, screen_ids: screenIds, group_ids: groupIds, date_range: range } = more
  return {
    ...(name !== undefined && { name }),
    ...(priority !== undefined && { priority }),
    ...(active !== undefined && { active }),
    ...(rules !== undefined && { rules: rules.map(ruleFromWire) }),
    ...(screenIds !== undefined && { screenIds }),
    ...(groupIds !== undefined && { groupIds }),
    ...(range !== undefined && { startDate: range?.start ?? null, endDate: range?.end ?? null }),
  }
}

const ruleFromWire = (rule: Static<typeof ScheduleCreate>['rules'][number]): SentRule => ({
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
