/** Serializes summaries and builds the addresses of the pages of meetings. */
import type { Static } from '@sinclair/typebox'
import { fileLink } from '../../http/files/fileLinks.ts'
import type { Meeting } from '../../state/meetings/meetings.ts'
import type { Participant } from '../../state/meetings/sessionRecords.ts'
import type { Session } from '../../state/meetings/transcripts.ts'
import { storedFiles } from '../../state/shared/storedFiles.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { Summary } from './shapes/meetings.ts'

/** The path of the meeting pages. */
export const PAGES_PATH = '/meetings/meet'

/** Returns the join link for guests. */
export const guestUrl = ({ id, publicUrl }: Workspace, { publicMeetingId }: Meeting): string =>
  `${publicUrl}${PAGES_PATH}/${id}/${publicMeetingId}`

/** Returns the join link of a participant. */
export const joinUrl = (workspace: Workspace, meeting: Meeting, { id }: Participant): string =>
  `${guestUrl(workspace, meeting)}?participant=${id}`

/** Returns a link to the transcript of a session; null without one. */
export function transcriptUrl(workspace: Workspace, { transcriptFileId }: Session): string | null {
  const file = transcriptFileId === null ? undefined : storedFiles.find(workspace, transcriptFileId)
  return file ? fileLink(workspace, file).url : null
}

/** Serializes the summary and transcript of the last session that has either. */
export const summaryView = (
  workspace: Workspace,
  meeting: Meeting,
  session: Session | undefined,
): Static<typeof Summary> => ({
  success: true,
  summary: session?.summary ?? null,
  transcript_url: session ? transcriptUrl(workspace, session) : null,
  language: session ? meeting.language : null,
})
