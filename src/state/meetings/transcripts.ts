/**
 * Transcripts and summaries of sessions. They come by themselves on the clock of the workspace, a minute after the session
 * has ended and another minute later, where the meeting has a language; or when a trigger says so. Assumed but for that
 * they are generated, and are not there before.
 */
import { Type } from '@sinclair/typebox'
import { refuse } from '../refusal.ts'
import { record } from '../record.ts'
import { text } from '../shapes.ts'
import { storeSmallFile, removeFile } from '../storedFiles.ts'
import type { Workspace } from '../workspace.ts'
import { refuseCase } from './cases.ts'
import { appendMeetingEvent } from './events.ts'
import { meetings, type Meeting } from './meetings.ts'
import { sessions as table } from './tables.ts'

export type Session = typeof table.$inferSelect

/** How long a transcript, and then a summary, takes, in ms. */
export const WRITING_TIME = 60_000

/** Characters of what a trigger gives. */
export const LONGEST_TRANSCRIPT = 65_536
export const LONGEST_SUMMARY = 20_000

export const sessions = record(table, {
  noun: 'session',
  absent: (message) => refuseCase('session_unknown', message),
  due: {
    at: 'nextAt',
    when: {},
    job: 'meetings.session.write',
    isProgress: true,
    run(workspace, session) {
      completeNext(workspace, session)
    },
  },
  snapshot: {
    section: 'meetings',
    name: 'sessions',
    instants: ['startedAt', 'endedAt', 'nextAt', 'createdAt'],
    shapes: () => ({ attendees: attendeesShape(), summary: text(LONGEST_SUMMARY) }),
  },
})

/** Names as participants and their hosts wrote them. */
const attendeesShape = () => Type.Array(Type.String())

/** The next of what is written of a session. */
function completeNext(workspace: Workspace, session: Session): void {
  if (session.transcriptFileId === null) completeTranscript(workspace, session, null)
  else completeSummary(workspace, session, null)
}

function mustBeWritten(workspace: Workspace, session: Session): Meeting {
  const meeting = meetings.get(workspace, session.meetingId)
  if (meeting.language === null) {
    refuse('conflict', `The meeting ${meeting.publicMeetingId} has no language, so nothing is transcribed.`)
  }
  if (session.status !== 'ended') refuse('wrong_state', `The session ${session.id} is still live.`)
  return meeting
}

/** The transcript of an ended session is there, in the place of one that was; `text` has an utterance a line. */
export function completeTranscript(workspace: Workspace, session: Session, told: string | null): Session {
  return workspace.write(() => {
    const meeting = mustBeWritten(workspace, session)
    if (session.transcriptFileId !== null) removeFile(workspace, session.transcriptFileId)
    const file = storeSmallFile(workspace, {
      name: `transcript-${session.id}.csv`,
      contentType: 'text/csv',
      bytes: Buffer.from(transcriptFile(told ?? usualText(meeting, session), session)),
    })
    const written = sessions.update(workspace, session, {
      transcriptFileId: file.id,
      nextAt: session.summary === null ? workspace.now() + WRITING_TIME : null,
    })
    appendMeetingEvent(workspace, 'transcript.completed', session.id, { meeting, session: written })
    return written
  })
}

/** The summary of an ended session is there, in the place of one that was. */
export function completeSummary(workspace: Workspace, session: Session, summary: string | null): Session {
  return workspace.write(() => {
    const meeting = mustBeWritten(workspace, session)
    const written = sessions.update(workspace, session, {
      summary: summary ?? usualSummary(meeting, session),
      // Without a transcript that one is still to come.
      nextAt: session.transcriptFileId === null ? session.nextAt : null,
    })
    appendMeetingEvent(workspace, 'summary.completed', session.id, { meeting, session: written })
    return written
  })
}

const usualText = ({ title }: Meeting, { attendees }: Session): string =>
  [
    `Host: Welcome to ${title}.`,
    ...attendees.map((name) => `${name}: Good to be here.`),
    'Host: Thank you all.',
  ].join('\n')

function usualSummary({ title }: Meeting, { attendees, startedAt, endedAt }: Session): string {
  const minutes = Math.round(((endedAt ?? startedAt) - startedAt) / 60_000)
  const people = attendees.length === 0 ? 'Nobody' : attendees.slice(0, 20).join(', ')
  return `${title}: ${people} took part, for ${String(minutes)} minutes.`.slice(0, LONGEST_SUMMARY)
}

/** Seconds from one utterance to the next. */
const PAUSE = 5

/** start_seconds,speaker,text: "Ana: Good morning" is said by Ana. */
function transcriptFile(words: string, { attendees: [first = 'Speaker'] }: Session): string {
  const lines = words.split(/\r?\n/).filter((line) => line.trim() !== '')
  const rows = lines.map((line, place) => {
    const [, speaker = first, said = line] = /^([^:,"]{1,100}): (.*)$/.exec(line) ?? []
    return `${String(place * PAUSE)},${quoted(speaker)},${quoted(said)}`
  })
  return ['start_seconds,speaker,text', ...rows, ''].join('\r\n')
}

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`
