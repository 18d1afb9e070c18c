/**
 * Transcripts and summaries of sessions (assumed, except that they are generated later). If the meeting has a language, the
 * clock completes the transcript one minute after the session and the summary one minute later. Triggers complete them too.
 */
import { refuse } from '../model/refusal.ts'
import { record } from '../storage/records/record.ts'
import { storeSmallFile, removeFile } from '../shared/storedFiles.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { refuseCase } from './cases.ts'
import { appendMeetingEvent } from './events.ts'
import { meetings, type Meeting } from './meetings.ts'
import { LONGEST_SUMMARY, sessions as table } from './tables.ts'

export type Session = typeof table.$inferSelect

/** The time in ms until a transcript is complete, and then until the summary is. */
export const COMPLETION_TIME = 60_000

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
  },
})

/** Completes the transcript of a session, or the summary if it has a transcript. */
function completeNext(workspace: Workspace, session: Session): void {
  if (session.transcriptFileId === null) completeTranscript(workspace, session, null)
  else completeSummary(workspace, session, null)
}

function mustBeTranscribed(workspace: Workspace, session: Session): Meeting {
  const meeting = meetings.get(workspace, session.meetingId)
  if (meeting.language === null) {
    refuse(
      'conflict',
      `The meeting ${meeting.publicMeetingId} has no language, so nothing is transcribed. Create a meeting with a language.`,
      { assumed: 'It says that transcription is off without a language, but not how a call is refused.' },
    )
  }
  if (session.status !== 'ended') refuse('wrong_state', `The session ${session.id} is still live.`)
  return meeting
}

/** Completes the transcript of an ended session and replaces an earlier one. `lines` has one utterance per line; null for a default text. */
export function completeTranscript(workspace: Workspace, session: Session, lines: string | null): Session {
  return workspace.write(() => {
    const meeting = mustBeTranscribed(workspace, session)
    if (session.transcriptFileId !== null) removeFile(workspace, session.transcriptFileId)
    const file = storeSmallFile(workspace, {
      name: `transcript-${session.id}.csv`,
      contentType: 'text/csv',
      bytes: Buffer.from(transcriptFile(lines ?? defaultTranscript(meeting, session), session)),
    })
    const written = sessions.update(workspace, session, {
      transcriptFileId: file.id,
      nextAt: session.summary === null ? workspace.now() + COMPLETION_TIME : null,
    })
    appendMeetingEvent(workspace, 'transcript.completed', session.id, { meeting, session: written })
    return written
  })
}

/** Completes the summary of an ended session and replaces an earlier one; null for a default text. */
export function completeSummary(workspace: Workspace, session: Session, summary: string | null): Session {
  return workspace.write(() => {
    const meeting = mustBeTranscribed(workspace, session)
    const written = sessions.update(workspace, session, {
      summary: summary ?? defaultSummary(meeting, session),
      // Keeps the time of the transcript if it is still pending.
      nextAt: session.transcriptFileId === null ? session.nextAt : null,
    })
    appendMeetingEvent(workspace, 'summary.completed', session.id, { meeting, session: written })
    return written
  })
}

const defaultTranscript = ({ title }: Meeting, { attendees }: Session): string =>
  [
    `Host: Welcome to ${title}.`,
    ...attendees.map((name) => `${name}: Good to be here.`),
    'Host: Thank you all.',
  ].join('\n')

function defaultSummary({ title }: Meeting, { attendees, startedAt, endedAt }: Session): string {
  const minutes = Math.round(((endedAt ?? startedAt) - startedAt) / 60_000)
  const people = attendees.length === 0 ? 'Nobody' : attendees.slice(0, 20).join(', ')
  return `${title}: ${people} took part, for ${String(minutes)} minutes.`.slice(0, LONGEST_SUMMARY)
}

/** Seconds from one utterance to the next. */
const PAUSE = 5

/** Returns CSV with the columns start_seconds, speaker and text. Ana is the speaker of the line "Ana: Good morning". */
function transcriptFile(text: string, { attendees: [first = 'Speaker'] }: Session): string {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const rows = lines.map((line, index) => {
    const [, speaker = first, utterance = line] = /^([^:,"]{1,100}): (.*)$/.exec(line) ?? []
    return `${String(index * PAUSE)},${quoted(speaker)},${quoted(utterance)}`
  })
  return ['start_seconds,speaker,text', ...rows, ''].join('\r\n')
}

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`
