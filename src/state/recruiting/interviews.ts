/** The table of interviews with its filters and conflicts. `scheduling.ts` has the operations. */
import { and, asc, sql } from 'drizzle-orm'
import { numbered, type LookupFilter } from '../storage/queries/listing.ts'
import { isOneOf } from '../storage/columns.ts'
import { ofWorkspace, query } from '../storage/queries/query.ts'
import { TAKES_TIME } from './machines.ts'
import { record } from '../storage/records/record.ts'
import { emailKey } from '../text/emailAddresses.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { MAX_INTERVIEW_MINUTES } from './limits.ts'
import { interviews as table } from './tables.ts'

export type Interview = typeof table.$inferSelect

const MINUTE = 60_000

const SEPARATOR = '\n'

const joinAddresses = (addresses: readonly string[]): string =>
  SEPARATOR + addresses.map(emailKey).join(SEPARATOR) + SEPARATOR

const interviewedBy: LookupFilter = {
  forms: [(address) => joinAddresses([address])],
  where: (value) => sql`instr(${table.interviewerKey}, ${value}) > 0`,
}

/** Interviews with the order and the filters of GET /interviews. */
export const interviews = record(table, {
  noun: 'interview',
  derived: {
    endsAt: ({ scheduledAt, durationMinutes }: Pick<Interview, 'scheduledAt' | 'durationMinutes'>) =>
      scheduledAt + durationMinutes * MINUTE,
    interviewerKey: ({ interviewers }: Pick<Interview, 'interviewers'>) =>
      joinAddresses(interviewers.map((each) => each.email)),
  },
  list: numbered({
    sorts: { created_at: table.createdAt },
    filters: {
      status: (value) => sql`${table.status} = ${value}`,
      type: (value) => sql`${table.type} = ${value}`,
      vacancy_id: (value) => sql`${table.vacancyId} = ${value}`,
      interviewer_email: interviewedBy,
      from: (value) => sql`${table.scheduledAt} >= ${value}`,
      to: (value) => sql`${table.scheduledAt} <= ${value}`,
    },
    indexes: {
      status: [table.status, table.createdAt],
      vacancy_id: [table.vacancyId, table.createdAt],
    },
  }),
  snapshot: { section: 'recruiting', name: 'interviews' },
})

/** Another interview at the same time with the same candidate or a shared interviewer. */
export interface InterviewConflict {
  readonly id: string
  readonly candidateId: string
  readonly interviewerKey: string
}

const MAX_CLASHES = 20

const atTheSameTime = query((orm) =>
  orm
    .select({ id: table.id, candidateId: table.candidateId, interviewerKey: table.interviewerKey })
    .from(table)
    .where(
      and(
        ofWorkspace(table),
        sql`${table.scheduledAt} > ${sql.placeholder('earliest')}`,
        sql`${table.scheduledAt} < ${sql.placeholder('end')}`,
        isOneOf(table.status, TAKES_TIME),
        sql`${table.endsAt} > ${sql.placeholder('start')}`,
        sql`${table.id} <> ${sql.placeholder('id')}`,
        sql`(${table.candidateId} = ${sql.placeholder('candidateId')} or exists (select 1 from json_each(${sql.placeholder('addresses')}) as invited where instr(${table.interviewerKey}, invited.value) > 0))`,
      ),
    )
    .orderBy(asc(table.scheduledAt), asc(sql`rowid`))
    .limit(MAX_CLASHES),
)

/** Returns the first 20 conflicting interviews, sorted by time. */
export const conflictsWith = (workspace: Workspace, interview: Interview): InterviewConflict[] =>
  atTheSameTime.all(workspace, {
    id: interview.id,
    start: interview.scheduledAt,
    end: interview.endsAt,
    earliest: interview.scheduledAt - MAX_INTERVIEW_MINUTES * MINUTE,
    candidateId: interview.candidateId,
    addresses: JSON.stringify(interview.interviewers.map((each) => joinAddresses([each.email]))),
  })

/** Returns the interviewers who also take part in the other interview. */
export const sharedInterviewers = (interview: Interview, { interviewerKey }: InterviewConflict) =>
  interview.interviewers.filter((each) => interviewerKey.includes(joinAddresses([each.email])))
