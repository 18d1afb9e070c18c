/** Meetings, of which one call shows the summary of the last session. */
import type { Answers, Row } from '../../crawl/answers.ts'
import { columns, fileNotShown, NOT_SHOWN, recordsOf, startOf, type Loaded, type Loader } from './loader.ts'

export const meetings: Loader = { load }

function load(answers: Answers): Loaded {
  const found = [...recordsOf(answers, 'getSummary')]
  const at = startOf(answers)
  return {
    snapshot: {
      files: fileNotShown(at),
      meetings: {
        meetings: found.map(([publicMeetingId, body], index) => ({
          ...columns(body as Row, ['language']),
          id: `meeting-${String(index)}`,
          publicMeetingId,
          title: NOT_SHOWN,
          startsAt: at,
          isInstant: false,
          organizerId: NOT_SHOWN,
          createdAt: at,
          updatedAt: at,
        })),
        sessions: found.map(([_id, body], index) => ({
          ...columns(body as Row, ['summary']),
          id: `session-${String(index)}`,
          meetingId: `meeting-${String(index)}`,
          status: 'ended',
          startedAt: at,
          endedAt: at,
          attendees: [],
          transcriptFileId: (body as Row)['transcript_url'] === null ? null : NOT_SHOWN,
          createdAt: at,
        })),
      },
    },
    isComplete: true,
  }
}
