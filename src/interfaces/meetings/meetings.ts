/** Meetings. Specification part 3, "Meetings"; routes in the order of operations.tsv. */
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { instantOf, iso } from '@suite-sim/kit/time/instants'
import { documented, documentedBut } from '../../state/model/fidelity.ts'
import { refuseCase } from '../../state/meetings/cases.ts'
import { createMeeting, meetingsByPublicId, updateMeeting } from '../../state/meetings/meetings.ts'
import { addOrRenewParticipant, announceChange } from '../../state/meetings/participants.ts'
import { lastTranscribedSession } from '../../state/meetings/sessionRecords.ts'
import { sessions } from '../../state/meetings/transcripts.ts'
import { refuse } from '../../state/model/refusal.ts'
import {
  AddedParticipant,
  CreatedMeeting,
  FetchedTranscript,
  MeetingCreate,
  MeetingParams,
  MeetingUpdate,
  Participant,
  SessionParams,
  Summary,
  UpdatedMeeting,
} from './shapes/meetings.ts'
import { tokenOf } from './tokens.ts'
import { guestUrl, joinUrl, summaryView, transcriptUrl } from './views.ts'

export const meetings: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Meetings' })

  at('/public/meetings').post({
    id: 'createMeeting',
    summary: 'Create a meeting',
    fidelity: documented,
    body: MeetingCreate,
    answers: { 201: CreatedMeeting },
    run({ body, workspace, caller }) {
      const { title, datetime, language = null } = body
      const startsAt = datetime === undefined ? null : instantOf(datetime, workspace)
      const meeting = createMeeting(workspace, caller.user, { title, startsAt, language })
      return {
        success: true as const,
        message: 'Meeting created',
        meeting: {
          title: meeting.title,
          datetime: iso(meeting.startsAt),
          publicMeetingId: meeting.publicMeetingId,
        },
      }
    },
  })

  at('/public/meetings/:publicMeetingId', { params: MeetingParams, record: meetingsByPublicId }).patch({
    id: 'updateMeeting',
    summary: 'Update a meeting',
    description: 'An INACTIVE meeting accepts no new connections. Current participants stay connected.',
    fidelity: documentedBut(
      'Assumed: an update without fields is refused. A new datetime or title is sent to all participants who were invited by e-mail, as an update of the same calendar entry. While the meeting is INACTIVE, nothing is sent; when it becomes ACTIVE with another time than the participants last heard, they get that time.',
    ),
    body: MeetingUpdate,
    answers: { 200: UpdatedMeeting },
    async run({ params, body, workspace }) {
      const { title, datetime, status } = body
      if (title === undefined && datetime === undefined && status === undefined) {
        refuse('invalid', 'The body must have at least one of title, datetime and status.')
      }
      const before = meetingsByPublicId.get(workspace, params.publicMeetingId)
      const meeting = updateMeeting(workspace, before, {
        ...(title !== undefined && { title }),
        ...(datetime !== undefined && { startsAt: instantOf(datetime, workspace) }),
        ...(status !== undefined && { status }),
      })
      await announceChange(workspace, before, meeting, joinUrl)
      return {
        success: true as const,
        message: 'Meeting updated',
        meeting: { title: meeting.title, datetime: iso(meeting.startsAt), status: meeting.status },
      }
    },
  })

  at('/public/meetings/:publicMeetingId/participants', {
    params: MeetingParams,
    record: meetingsByPublicId,
  }).post({
    id: 'addParticipant',
    summary: 'Add a participant, or renew its token',
    fidelity: documentedBut(
      'Assumed: an INACTIVE meeting accepts participants, whose links and tokens work when it is ACTIVE again. A renewal does not change the participant; a new invitation goes only to the e-mail address that the participant already has. The invitation has a calendar file for one hour. An empty e-mail address is none.',
    ),
    body: Participant.create,
    answers: { 201: AddedParticipant, 200: AddedParticipant },
    async run({ record: meeting, body, workspace }, reply) {
      const fields = {
        externalId: null,
        name: null,
        ...Participant.parse(workspace, body),
        email: body.email === '' ? null : (body.email ?? null),
        presetName: body.preset_name,
      }
      const { participant, isNew } = addOrRenewParticipant(workspace, meeting, fields, joinUrl)
      reply.code(isNew ? 201 : 200)
      return {
        success: true as const,
        message: isNew ? 'Participant created' : 'Participant already exists',
        participant: {
          url: joinUrl(workspace, meeting, participant),
          guestUrl: guestUrl(workspace, meeting),
          token: await tokenOf(workspace, meeting, participant),
        },
      }
    },
  })

  at('/public/meetings/:publicMeetingId/summary', { params: MeetingParams, record: meetingsByPublicId }).get({
    id: 'getSummary',
    summary: 'Get the summary of a meeting',
    description:
      'Returns the summary of the latest session that has one. If no session has a summary, returns the latest transcript.',
    fidelity: documented,
    answers: { 200: Summary },
    run: ({ record: meeting, workspace }) =>
      summaryView(workspace, meeting, lastTranscribedSession(workspace, meeting.id)),
  })

  at('/public/meetings/:publicMeetingId/sessions/:cfSessionId/fetch-transcript', {
    params: SessionParams,
  }).post({
    id: 'fetchTranscript',
    summary: 'Fetch the transcript of a session',
    fidelity: documentedBut(
      'Assumed: the file is CSV with the columns start_seconds, speaker and text. A meeting without a language responds with the same code; its message says that there will be no transcript.',
    ),
    documentedStatuses: [404],
    answers: { 200: FetchedTranscript },
    run({ params, workspace }) {
      const { id, language, publicMeetingId } = meetingsByPublicId.get(workspace, params.publicMeetingId)
      const session = sessions.get(workspace, params.cfSessionId)
      if (session.meetingId !== id) sessions.noSuch(params.cfSessionId)
      const url = transcriptUrl(workspace, session)
      if (url === null && language === null) {
        return refuseCase(
          'transcript_not_ready',
          `The meeting ${publicMeetingId} has no language, so its sessions have no transcript. Create a meeting with a language to get one.`,
        )
      }
      if (url === null) {
        return refuseCase('transcript_not_ready', `The transcript of ${session.id} is not ready yet.`)
      }
      return { success: true as const, transcriptUrl: url }
    },
  })
}
