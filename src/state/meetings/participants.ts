/** Who may take part in a meeting. Specification part 3, "Participant". */
import type { Workspace } from '../workspace.ts'
import { appendMeetingEvent } from './events.ts'
import { sendInvitation } from './invitations.ts'
import { mustAdmit, type Meeting } from './meetings.ts'
import { participants, participantWith, type Participant } from './sessionRecords.ts'

export interface NewParticipant {
  readonly presetName: Participant['presetName']
  readonly externalId: string | null
  readonly email: string | null
  readonly name: string | null
}

/** The address at which a person joins. */
export type JoinUrl = (workspace: Workspace, meeting: Meeting, participant: Participant) => string

/** Adds a participant, or renews the token of the one with this external id, who stays as that one is. */
export function admit(
  workspace: Workspace,
  meeting: Meeting,
  fields: NewParticipant,
  joinUrl: JoinUrl,
): { readonly participant: Participant; readonly isNew: boolean } {
  return workspace.write(() => {
    mustAdmit(meeting)
    const known =
      fields.externalId === null ? undefined : participantWith(workspace, meeting.id, fields.externalId)
    const token = { tokenId: workspace.ids.nano('token'), tokenIssuedAt: workspace.now() }
    const participant = known
      ? participants.update(workspace, known, { ...token, updatedAt: workspace.now() })
      : participants.insert(workspace, {
          ...fields,
          ...token,
          id: workspace.ids.uuid('participant'),
          meetingId: meeting.id,
          sessionId: null,
          createdAt: workspace.now(),
          updatedAt: workspace.now(),
        })
    if (!known) appendMeetingEvent(workspace, 'participant.added', participant.id, { meeting, participant })
    if (fields.email !== null) {
      const url = joinUrl(workspace, meeting, participant)
      sendInvitation(workspace, { meeting, participant, email: fields.email, url })
    }
    return { participant, isNew: !known }
  })
}
