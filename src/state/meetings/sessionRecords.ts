/** The stored participants of meetings, and queries for sessions, the live runs of meetings. */
import { and, asc, desc, eq, sql, type SQL } from 'drizzle-orm'
import { ofWorkspace, query } from '../storage/queries/query.ts'
import { record } from '../storage/records/record.ts'
import { refuse } from '../model/refusal.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { participants as participantTable, sessions as sessionTable } from './tables.ts'
import { sessions, type Session } from './transcripts.ts'

export type Participant = typeof participantTable.$inferSelect

/** Checks a participant of a snapshot: it can only be in a live session of its meeting. */
function mustBeInSession({ id, meetingId, sessionId }: Participant, workspace: Workspace): void {
  if (sessionId === null) return
  const session = sessions.find(workspace, sessionId)
  if (session?.meetingId === meetingId && session.status === 'live') return
  refuse(
    'invalid',
    `The sessionId of the participant ${id} must be a live session of its meeting, not ${sessionId}.`,
  )
}

export const participants = record(participantTable, {
  noun: 'participant',
  snapshot: {
    section: 'meetings',
    name: 'participants',
    generated: ['tokenId'],
    check: mustBeInSession,
  },
})

/** The order in which sessions started, independent of the clock. The plus sign prevents a scan of all meetings by rowid. */
const inOrder = sql`+rowid`

/** Builds a query for the last session of a meeting that meets the condition, sorted by `first` before the start. */
function lastOfMeeting(condition: SQL, ...first: SQL[]) {
  const last = query((orm) =>
    orm
      .select()
      .from(sessionTable)
      .where(
        and(ofWorkspace(sessionTable), eq(sessionTable.meetingId, sql.placeholder('meetingId')), condition),
      )
      .orderBy(...first, desc(inOrder))
      .limit(1),
  )
  return (workspace: Workspace, meetingId: string): Session | undefined =>
    last.first(workspace, { meetingId })
}

/** Returns the live session of a meeting; undefined without one. */
export const liveSession = lastOfMeeting(eq(sessionTable.status, 'live'))

/** Returns the session that ended last; undefined without one. */
export const endedSession = lastOfMeeting(eq(sessionTable.status, 'ended'))

/** Returns the last session with a summary, otherwise the last one with a transcript. */
export const lastTranscribedSession = lastOfMeeting(
  sql`(${sessionTable.transcriptFileId} is not null or ${sessionTable.summary} is not null)`,
  sql`${sessionTable.summary} is null`,
)

const withExternalId = query((orm) =>
  orm
    .select()
    .from(participantTable)
    .where(
      and(
        ofWorkspace(participantTable),
        eq(participantTable.meetingId, sql.placeholder('meetingId')),
        eq(participantTable.externalId, sql.placeholder('externalId')),
      ),
    )
    .limit(1),
)

export const participantWithExternalId = (
  workspace: Workspace,
  meetingId: string,
  externalId: string,
): Participant | undefined => withExternalId.first(workspace, { meetingId, externalId })

/** The most participants that a page shows. */
const MAX_SHOWN = 500

const inSession = query((orm) =>
  orm
    .select()
    .from(participantTable)
    .where(and(ofWorkspace(participantTable), eq(participantTable.sessionId, sql.placeholder('sessionId'))))
    .orderBy(asc(participantTable.updatedAt), asc(sql`rowid`))
    .limit(MAX_SHOWN),
)

/** Returns the participants in a session, in the order in which they joined. */
export const participantsIn = (workspace: Workspace, { id }: Session): Participant[] =>
  inSession.all(workspace, { sessionId: id })

export const nameOf = ({ name, email: address }: Participant): string => name ?? address ?? 'Guest'
