/** Sessions, the live runs of meetings, and who may take part in them, as they are kept. */
import { Type } from '@sinclair/typebox'
import { and, asc, desc, eq, sql } from 'drizzle-orm'
import { ofWorkspace, query } from '../query.ts'
import { record } from '../record.ts'
import { email } from '../shapes.ts'
import type { Workspace } from '../workspace.ts'
import { participants as participantTable, sessions as sessionTable } from './tables.ts'
import type { Session } from './transcripts.ts'

export type Participant = typeof participantTable.$inferSelect

const upTo200 = () => Type.String({ minLength: 1, maxLength: 200 })

export const participants = record(participantTable, {
  noun: 'participant',
  snapshot: {
    section: 'meetings',
    name: 'participants',
    instants: ['tokenIssuedAt', 'createdAt', 'updatedAt'],
    shapes: () => ({ externalId: upTo200(), name: upTo200(), email: email() }),
  },
})

const lastOfMeeting = query((orm) =>
  orm
    .select()
    .from(sessionTable)
    .where(and(ofWorkspace(sessionTable), eq(sessionTable.meetingId, sql.placeholder('meetingId'))))
    .orderBy(desc(sessionTable.startedAt), desc(sql`rowid`))
    .limit(1),
)

/** The session that began last; undefined where there was none. */
export const lastSession = (workspace: Workspace, meetingId: string): Session | undefined =>
  lastOfMeeting.first(workspace, { meetingId })

const transcribed = query((orm) =>
  orm
    .select()
    .from(sessionTable)
    .where(
      and(
        ofWorkspace(sessionTable),
        eq(sessionTable.meetingId, sql.placeholder('meetingId')),
        sql`(${sessionTable.transcriptFileId} is not null or ${sessionTable.summary} is not null)`,
      ),
    )
    .orderBy(desc(sessionTable.startedAt), desc(sql`rowid`))
    .limit(1),
)

/** The last session of which there is a transcript or a summary. */
export const writtenSession = (workspace: Workspace, meetingId: string): Session | undefined =>
  transcribed.first(workspace, { meetingId })

/** The session that is going on; undefined where there is none. */
export function liveSession(workspace: Workspace, meetingId: string): Session | undefined {
  const last = lastSession(workspace, meetingId)
  return last?.status === 'live' ? last : undefined
}

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
const MOST_SHOWN = 500

const inSession = query((orm) =>
  orm
    .select()
    .from(participantTable)
    .where(and(ofWorkspace(participantTable), eq(participantTable.sessionId, sql.placeholder('sessionId'))))
    .orderBy(asc(participantTable.updatedAt), asc(sql`rowid`))
    .limit(MOST_SHOWN),
)

/** Who is there, in the order in which they came. */
export const presentIn = (workspace: Workspace, { id }: Session): Participant[] =>
  inSession.all(workspace, { sessionId: id })

export const nameOf = ({ name, email: address }: Participant): string => name ?? address ?? 'Guest'
