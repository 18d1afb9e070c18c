/** People join, leave and end meetings. Assumed but for the session's id: specification part 3 shows how one is admitted. */
import { sql } from 'drizzle-orm'
import { take } from '../machine.ts'
import { refuse } from '../refusal.ts'
import type { Workspace } from '../workspace.ts'
import { appendMeetingEvent } from './events.ts'
import { sessionMachine } from './machines.ts'
import { mustAdmit, type Meeting } from './meetings.ts'
import {
  endedSession,
  liveSession,
  nameOf,
  participants,
  presentIn,
  type Participant,
} from './sessionRecords.ts'
import { participants as participantTable } from './tables.ts'
import { sessions, WRITING_TIME, type Session } from './transcripts.ts'

/** People who are told of in a session. */
const MAX_ATTENDEES = 500

function startSession(workspace: Workspace, meeting: Meeting): Session {
  const now = workspace.now()
  const session = sessions.insert(workspace, {
    id: workspace.ids.uuid('session'),
    meetingId: meeting.id,
    status: sessionMachine.initial[0],
    startedAt: now,
    endedAt: null,
    attendees: [],
    transcriptFileId: null,
    summary: null,
    nextAt: null,
    createdAt: now,
  })
  appendMeetingEvent(workspace, 'session.started', session.id, { meeting, session })
  return session
}

/** Lets a person in; the first one starts a session. Who is there already stays. */
export function join(workspace: Workspace, meeting: Meeting, participant: Participant): Session {
  return workspace.write(() => {
    const live = liveSession(workspace, meeting.id)
    if (live?.id === participant.sessionId) return live
    mustAdmit(meeting)
    const session = live ?? startSession(workspace, meeting)
    const attendees = [...new Set([...session.attendees, nameOf(participant)])].slice(0, MAX_ATTENDEES)
    const attended = sessions.update(workspace, session, { attendees })
    const joined = participants.update(workspace, participant, {
      sessionId: session.id,
      updatedAt: workspace.now(),
    })
    const told = { meeting, session: attended, participant: joined }
    appendMeetingEvent(workspace, 'participant.joined', participant.id, told)
    return attended
  })
}

/** Lets a person go; the last one ends the session. Who is not there has nothing to leave. */
export function leave(workspace: Workspace, meeting: Meeting, participant: Participant): void {
  workspace.write(() => {
    if (participant.sessionId === null) return
    const session = sessions.get(workspace, participant.sessionId)
    const left = participants.update(workspace, participant, { sessionId: null, updatedAt: workspace.now() })
    appendMeetingEvent(workspace, 'participant.left', participant.id, { meeting, session, participant: left })
    if (presentIn(workspace, session).length === 0) end(workspace, meeting, session)
  })
}

const letAllGo = participants.updateAll(
  { sessionId: sql`null` },
  sql`${participantTable.sessionId} = ${sql.placeholder('sessionId')}`,
)

function end(workspace: Workspace, meeting: Meeting, session: Session): Session {
  const { state, event } = take(sessionMachine, session.status, 'end')
  const now = workspace.now()
  letAllGo(workspace, { sessionId: session.id })
  const ended = sessions.update(workspace, session, {
    status: state,
    endedAt: now,
    nextAt: meeting.language === null ? null : now + WRITING_TIME,
  })
  appendMeetingEvent(workspace, event, session.id, { meeting, session: ended })
  return ended
}

/** A host ends the session that is going on, for all. */
export function endByHost(workspace: Workspace, meeting: Meeting, { presetName }: Participant): void {
  workspace.write(() => {
    if (presetName !== 'sim_meet_host') refuse('forbidden', 'Only a host ends a meeting for all.')
    const session = liveSession(workspace, meeting.id)
    if (session) end(workspace, meeting, session)
  })
}

/** Ends the session that is going on; where there is none, one has taken place that nobody saw. */
export const endSession = (workspace: Workspace, meeting: Meeting): Session =>
  workspace.write(() =>
    end(workspace, meeting, liveSession(workspace, meeting.id) ?? startSession(workspace, meeting)),
  )

/** The session of a meeting that has ended last, or a refusal. */
export const lastEnded = (workspace: Workspace, { id, publicMeetingId }: Meeting): Session =>
  endedSession(workspace, id) ??
  refuse('wrong_state', `No session of the meeting ${publicMeetingId} has ended.`)
