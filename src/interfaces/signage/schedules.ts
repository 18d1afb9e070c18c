/** Schedules. Specification part 1, "Signage"; routes in the order of operations.tsv. */
import type { Static } from '@sinclair/typebox'
import type { Resource } from '../../http/definition.ts'
import { NO_CONTENT, before, noContent, operationsOf } from '../../http/operation.ts'
import { numberedPage } from '../../http/pages.ts'
import type { Rendering } from '../../http/renderings.ts'
import { everyCallerIn, cachedResponse } from '../../http/responseCache.ts'
import { pageMeta, PageOf } from '../../http/wireShapes.ts'
import { documentedBut } from '../../state/fidelity.ts'
import { refuse } from '../../state/refusal.ts'
import { groups } from '../../state/signage/groups.ts'
import type { ScheduleInFull } from '../../state/signage/inFull.ts'
import {
  createSchedule,
  deleteSchedule,
  findSchedule,
  schedules as scheduleRecords,
  schedulesInFull,
  updateSchedule,
  type ScheduleFields,
  type SentRule,
} from '../../state/signage/schedules.ts'
import { screens } from '../../state/signage/screenRecords.ts'
import { Schedule, ScheduleCreate, ScheduleId, ScheduleQuery, ScheduleUpdate } from './schemas/schedules.ts'
import { scheduleView } from './views.ts'

/** Whom a schedule names follows from other tables, so no text of it outlives the answer that it was made for. */
const scheduleText: Rendering<ScheduleInFull> = {
  one: (_workspace, schedule) => JSON.stringify(scheduleView(schedule)),
  many: (workspace, heads) =>
    schedulesInFull(
      workspace,
      heads.map(({ id }) => id),
    )
      .map((schedule) => scheduleText.one(workspace, schedule))
      .join(','),
}

const scheduleOperation = operationsOf({ tag: 'Schedules' })

/** Like grid:schedules:write, which is shown. */
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
          'Assumed: the scope, which is made like that for writing; pages as in all lists; the newest first; screen_id finds schedules of its group as well, group_id those of its screens; from and to find what has days between them, and one without dates has all days.',
        ),
        names: { screen_id: screens, group_id: groups },
        answers: { 200: PageOf(Schedule) },
      }),
    },
    ({ query, workspace }) => {
      const { page, per_page: perPage, active, ...filters } = query
      const { from, to } = filters
      if (from !== undefined && to !== undefined && from > to) {
        const problem = { field: 'to', code: 'out_of_order', message: 'to must not be before from' }
        refuse('invalid_query', `Query: ${problem.message}`, { details: [problem] })
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
          'Assumed: name and rules are required; times are those of the clocks in the time zone of the workspace, one that ends at its beginning or before goes over midnight and belongs to the day on which it begins; 24:00 ends a day, and 23:59 covers its last minute; players go by the local clock, so that what is scheduled in the hour that the end of daylight saving time repeats plays twice, and what is scheduled in the hour that its beginning skips does not play on that day; schedules may overlap; a screen or a group has at most 100 of them.',
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
          'Assumed: the scope, which is made like that for writing; it is answered bare.',
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
          'Only the fields that are sent change; lists and date_range take the place of all there was.',
        scope: WRITE,
        fidelity: documentedBut(
          'Assumed: the scope of the creation; the body; an update without a field changes nothing.',
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

/** That the schedule exists is asked before the body is judged. */
const mustExist = before<{ schedule_id: string }>(({ workspace }, params) =>
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

/** "08:30" */
function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}
