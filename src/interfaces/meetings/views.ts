/** Serializes meetings and builds the addresses of their pages. */
import type { Static } from '@sinclair/typebox'
import { fileLink } from '../../http/files/fileLinks.ts'
import { iso, isoOrNull } from '../../state/model/clock.ts'
import type { Meeting as MeetingRow } from '../../state/meetings/meetings.ts'
import type { Participant as ParticipantRow } from '../../state/meetings/sessionRecords.ts'
import type { Session as SessionRow } from '../../state/meetings/transcripts.ts'
import { storedFiles } from '../../state/shared/storedFiles.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { Meeting, Participant, Session, Summary } from './schemas/meetings.ts'

/** The path of the meeting pages. */
export const PAGES_PATH = '/meetings/meet'

/** Returns the join link for guests. */
export const guestUrl = ({ id, publicUrl }: Workspace, { publicMeetingId }: MeetingRow): string =>
  `${publicUrl}${PAGES_PATH}/${id}/${publicMeetingId}`

/** Returns the join link of a participant. */
export const joinUrl = (workspace: Workspace, meeting: MeetingRow, { id }: ParticipantRow): string =>
  `${guestUrl(workspace, meeting)}?participant=${id}`

/** Returns a link to the transcript of a session; null without one. */
export function transcriptUrl(workspace: Workspace, { transcriptFileId }: SessionRow): string | null {
  const file = transcriptFileId === null ? undefined : storedFiles.find(workspace, transcriptFileId)
  return file ? fileLink(workspace, file).url : null
}

/** Serializes the summary and transcript of the last session that has either. */
export const summaryView = (
  workspace: Workspace,
  meeting: MeetingRow,
  session: SessionRow | undefined,
): Static<typeof Summary> => ({
  summary: session?.summary ?? null,
  transcript_url: session ? transcriptUrl(workspace, session) : null,
  language: session ? meeting.language : null,
})

export const meetingView = (meeting: MeetingRow): Static<typeof Meeting> => ({
  publicMeetingId: meeting.publicMeetingId,
  title: meeting.title,
  datetime: iso(meeting.startsAt),
  language: meeting.language,
  status: meeting.status,
})

export const sessionView = (session: SessionRow): Static<typeof Session> => ({
  cfSessionId: session.id,
  startedAt: iso(session.startedAt),
  endedAt: isoOrNull(session.endedAt),
  attendees: [...session.attendees],
  summary: session.summary,
  transcriptReady: session.transcriptFileId !== null,
})

export const participantView = (participant: ParticipantRow): Static<typeof Participant> => ({
  participantId: participant.id,
  preset_name: participant.presetName,
  externalId: participant.externalId,
  email: participant.email,
  name: participant.name,
})
