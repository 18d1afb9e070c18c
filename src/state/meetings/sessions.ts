/** Joining, leaving and ending meetings. Specification part 3 shows only the id of a session; the rest is assumed. */
import { sql } from 'drizzle-orm'
import { take } from '../model/machine.ts'
import { refuse } from '../model/refusal.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { appendMeetingEvent } from './events.ts'
import { sessionMachine } from './machines.ts'
import { mustAcceptConnections, type Meeting } from './meetings.ts'
import {
  endedSession,
  liveSession,
  nameOf,
  participants,
  participantsIn,
  type Participant,
} from './sessionRecords.ts'
import { participants as participantTable } from './tables.ts'
import { sessions, COMPLETION_TIME, type Session } from './transcripts.ts'

/** The most attendees that a session records. */
const MAX_ATTENDEES = 500

function startSession(workspace: Workspace, meeting: Meeting): Session {
  const now = workspace.now()
  const session = sessions.insert(workspace, {
    id: workspace.ids.uuid('session'),
    meetingId: meeting.id,
    startedAt: now,
    attendees: [],
    createdAt: now,
  })
  appendMeetingEvent(workspace, 'session.started', session.id, { meeting, session })
  return session
}

/** Lets a participant join; the first one starts a session. Does nothing if the participant is present. */
export function join(workspace: Workspace, meeting: Meeting, participant: Participant): Session {
  return workspace.write(() => {
    const live = liveSession(workspace, meeting.id)
    if (live?.id === participant.sessionId) return live
    mustAcceptConnections(meeting)
    const session = live ?? startSession(workspace, meeting)
    const attendees = [...new Set([...session.attendees, nameOf(participant)])].slice(0, MAX_ATTENDEES)
    const attended = sessions.update(workspace, session, { attendees })
    const joined = participants.update(workspace, participant, {
      sessionId: session.id,
      updatedAt: workspace.now(),
    })
    const data = { meeting, session: attended, participant: joined }
    appendMeetingEvent(workspace, 'participant.joined', participant.id, data)
    return attended
  })
}

/** Lets a participant leave; the last one ends the session. Does nothing if the participant is not present. */
export function leave(workspace: Workspace, meeting: Meeting, participant: Participant): void {
  workspace.write(() => {
    if (participant.sessionId === null) return
    const session = sessions.get(workspace, participant.sessionId)
    const left = participants.update(workspace, participant, { sessionId: null, updatedAt: workspace.now() })
    appendMeetingEvent(workspace, 'participant.left', participant.id, { meeting, session, participant: left })
    if (participantsIn(workspace, session).length === 0) end(workspace, meeting, session)
  })
}

const removeAllFrom = participants.updateAll(
  { sessionId: sql`null` },
  sql`${participantTable.sessionId} = ${sql.placeholder('sessionId')}`,
)

function end(workspace: Workspace, meeting: Meeting, session: Session): Session {
  const { state, event } = take(sessionMachine, session.status, 'end')
  const now = workspace.now()
  removeAllFrom(workspace, { sessionId: session.id })
  const ended = sessions.update(workspace, session, {
    status: state,
    endedAt: now,
    nextAt: meeting.language === null ? null : now + COMPLETION_TIME,
  })
  appendMeetingEvent(workspace, event, session.id, { meeting, session: ended })
  return ended
}

/** Ends the live session for all participants. Refuses participants who are not hosts. */
export function endByHost(workspace: Workspace, meeting: Meeting, { presetName }: Participant): void {
  workspace.write(() => {
    if (presetName !== 'sim_meet_host') refuse('forbidden', 'Only a host can end a meeting for all.')
    const session = liveSession(workspace, meeting.id)
    if (session) end(workspace, meeting, session)
  })
}

/** Ends the live session. If none is live, adds one without attendees and ends it. */
export const endSession = (workspace: Workspace, meeting: Meeting): Session =>
  workspace.write(() =>
    end(workspace, meeting, liveSession(workspace, meeting.id) ?? startSession(workspace, meeting)),
  )

/** Returns the session of a meeting that ended last, or refuses. */
export const lastEndedSession = (workspace: Workspace, { id, publicMeetingId }: Meeting): Session =>
  endedSession(workspace, id) ??
  refuse('wrong_state', `No session of the meeting ${publicMeetingId} has ended.`)
