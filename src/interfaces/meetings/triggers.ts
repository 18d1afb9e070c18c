/** What happens to meetings outside of their interface: sessions end, and are transcribed and summed up. */
import { Type } from '@sinclair/typebox'
import { trigger } from '../../http/trigger.ts'
import { assumed } from '../../state/fidelity.ts'
import { meetings, meetingsByPublicId } from '../../state/meetings/meetings.ts'
import { participants } from '../../state/meetings/sessionRecords.ts'
import { endSession, join, lastEnded, leave } from '../../state/meetings/sessions.ts'
import {
  completeSummary,
  completeTranscript,
  LONGEST_SUMMARY,
  LONGEST_TRANSCRIPT,
  sessions,
} from '../../state/meetings/transcripts.ts'
import { CfSessionId, DEMO_PARTICIPANT, PublicMeetingId } from './schemas/meetings.ts'
import { transcriptUrl } from './views.ts'

const why = assumed(
  'Summaries and transcripts are generated; what of is not shown: of sessions that have ended.',
)

const text = (maxLength: number, example: string, description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, pattern: '\\S', examples: [example], description }))

const ParticipantId = () => Type.String({ maxLength: 100, examples: [DEMO_PARTICIPANT] })

const presence = assumed('What a person does on the page of a meeting, without the page.')

export const meetingTriggers = [
  trigger({
    name: 'meetings.participant.join',
    summary: 'A participant joins the meeting; the first one begins a session.',
    body: Type.Object({ participantId: ParticipantId() }),
    result: Type.Object({ cfSessionId: CfSessionId() }),
    fidelity: presence,
    run(workspace, { participantId }) {
      const participant = participants.get(workspace, participantId)
      const { id } = join(workspace, meetings.get(workspace, participant.meetingId), participant)
      return { cfSessionId: id }
    },
  }),

  trigger({
    name: 'meetings.participant.leave',
    summary: 'A participant leaves the meeting; the last one ends the session.',
    body: Type.Object({ participantId: ParticipantId() }),
    result: Type.Object({ participantId: ParticipantId() }),
    fidelity: presence,
    run(workspace, { participantId }) {
      const participant = participants.get(workspace, participantId)
      leave(workspace, meetings.get(workspace, participant.meetingId), participant)
      return { participantId }
    },
  }),

  trigger({
    name: 'meetings.session.end',
    summary: 'The session of a meeting ends; where none is live, one has taken place that nobody joined.',
    body: Type.Object({ publicMeetingId: PublicMeetingId() }),
    result: Type.Object({ cfSessionId: CfSessionId() }),
    fidelity: why,
    run: (workspace, { publicMeetingId }) => ({
      cfSessionId: endSession(workspace, meetingsByPublicId.get(workspace, publicMeetingId)).id,
    }),
  }),

  trigger({
    name: 'meetings.transcript.complete',
    summary: 'The transcript of an ended session is there.',
    body: Type.Object({
      publicMeetingId: PublicMeetingId(),
      cfSessionId: CfSessionId(),
      text: text(LONGEST_TRANSCRIPT, 'Ana Ríos: Good morning.', 'An utterance a line, "Name: words".'),
    }),
    result: Type.Object({ cfSessionId: CfSessionId(), transcriptUrl: Type.String() }),
    fidelity: why,
    run(workspace, { publicMeetingId, cfSessionId, text: told = null }) {
      const { id } = meetingsByPublicId.get(workspace, publicMeetingId)
      const session = sessions.get(workspace, cfSessionId)
      if (session.meetingId !== id) sessions.noSuch(cfSessionId)
      const written = completeTranscript(workspace, session, told)
      return { cfSessionId, transcriptUrl: transcriptUrl(workspace, written) ?? '' }
    },
  }),

  trigger({
    name: 'meetings.summary.complete',
    summary: 'The summary of the session that has ended last is there.',
    body: Type.Object({
      publicMeetingId: PublicMeetingId(),
      summary: text(LONGEST_SUMMARY, 'The floor is fitted on Monday.', 'Made up when left out.'),
    }),
    result: Type.Object({ cfSessionId: CfSessionId(), summary: Type.String() }),
    fidelity: why,
    run(workspace, { publicMeetingId, summary = null }) {
      const session = lastEnded(workspace, meetingsByPublicId.get(workspace, publicMeetingId))
      const written = completeSummary(workspace, session, summary)
      return { cfSessionId: written.id, summary: written.summary ?? '' }
    },
  }),
]
