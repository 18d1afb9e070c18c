/** Sessions, the live runs of meetings, and who may take part in them, as they are kept. */
import { Type } from '@sinclair/typebox'
import { and, asc, desc, eq, sql, type SQL } from 'drizzle-orm'
import { ofWorkspace, query } from '../query.ts'
import { record } from '../record.ts'
import { refuse } from '../refusal.ts'
import { email } from '../shapes.ts'
import type { Workspace } from '../workspace.ts'
import { participants as participantTable, sessions as sessionTable } from './tables.ts'
import { sessions, type Session } from './transcripts.ts'

export type Participant = typeof participantTable.$inferSelect

/** A participant can be in a session that is going on, and in no other. */
function mustBeInSession({ id, meetingId, sessionId }: Participant, workspace: Workspace): void {
  if (sessionId === null) return
  const session = sessions.find(workspace, sessionId)
  if (session?.meetingId === meetingId && session.status === 'live') return
  refuse('invalid', `The participant ${id} is in ${sessionId}, which is no live session of its meeting.`)
}

const upTo200 = () => Type.String({ minLength: 1, maxLength: 200 })

export const participants = record(participantTable, {
  noun: 'participant',
  snapshot: {
    section: 'meetings',
    name: 'participants',
    instants: ['tokenIssuedAt', 'createdAt', 'updatedAt'],
    shapes: () => ({ externalId: upTo200(), name: upTo200(), email: email() }),
    check: mustBeInSession,
  },
})

/** The order in which they began, whatever the clock showed; the plus sign keeps SQLite from walking through all meetings. */
const inOrder = sql`+rowid`

/** The last session of a meeting that meets the condition, those first that come first in another order too. */
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

/** The session that is going on; undefined where there is none. */
export const liveSession = lastOfMeeting(eq(sessionTable.status, 'live'))

/** The session that has ended last; undefined where none has. */
export const endedSession = lastOfMeeting(eq(sessionTable.status, 'ended'))

/** The last session of which there is a summary, or else a transcript. */
export const writtenSession = lastOfMeeting(
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

export const participantWith = (
  workspace: Workspace,
  meetingId: string,
  externalId: string,
): Participant | undefined => withExternalId.first(workspace, { meetingId, externalId })

/** Far more than a page shows. */
const MAX_SHOWN = 500

const inSession = query((orm) =>
  orm
    .select()
    .from(participantTable)
    .where(and(ofWorkspace(participantTable), eq(participantTable.sessionId, sql.placeholder('sessionId'))))
    .orderBy(asc(participantTable.updatedAt), asc(sql`rowid`))
    .limit(MAX_SHOWN),
)

/** Who is there, in the order in which they came. */
export const presentIn = (workspace: Workspace, { id }: Session): Participant[] =>
  inSession.all(workspace, { sessionId: id })

export const nameOf = ({ name, email: address }: Participant): string => name ?? address ?? 'Guest'
