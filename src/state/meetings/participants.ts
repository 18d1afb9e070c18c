/** Participants of meetings and their invitations. Specification part 3, "Participant". */
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { addHint } from '../timeline/causes.ts'
import { ofWorkspace, query } from '../storage/queries/query.ts'
import { emailKey } from '../text/emailAddresses.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { appendMeetingEvent } from './events.ts'
import { sendInvitation } from './invitations.ts'
import { meetings, type Meeting } from './meetings.ts'
import { participants, participantWithExternalId, type Participant } from './sessionRecords.ts'
import { participants as table } from './tables.ts'

export type NewParticipant = Pick<Participant, 'presetName' | 'externalId' | 'email' | 'name'>

/** Builds the join link of a participant. */
export type JoinUrl = (workspace: Workspace, meeting: Meeting, participant: Participant) => string

/**
 * Adds a participant. If one with this external id exists, renews its token and leaves its other fields unchanged. An
 * INACTIVE meeting accepts participants, because it refuses only connections (`join`).
 */
export function addOrRenewParticipant(
  workspace: Workspace,
  meeting: Meeting,
  fields: NewParticipant,
  joinUrl: JoinUrl,
): { readonly participant: Participant; readonly isNew: boolean } {
  return workspace.write(() => {
    const known =
      fields.externalId === null
        ? undefined
        : participantWithExternalId(workspace, meeting.id, fields.externalId)
    const token = { tokenId: workspace.ids.nano('token'), tokenIssuedAt: workspace.now() }
    const participant = known
      ? participants.update(workspace, known, { ...token, updatedAt: workspace.now() })
      : participants.insert(workspace, {
          ...fields,
          ...token,
          id: workspace.ids.uuid('participant'),
          meetingId: meeting.id,
          invitedFor: null,
          createdAt: workspace.now(),
          updatedAt: workspace.now(),
        })
    if (!known) appendMeetingEvent(workspace, 'participant.added', participant.id, { meeting, participant })
    const { email } = participant
    if (fields.email !== null && email !== null && emailKey(fields.email) === emailKey(email)) {
      const url = joinUrl(workspace, meeting, participant)
      return { participant: sendInvitation(workspace, { meeting, participant, email, url }), isNew: !known }
    }
    if (fields.email !== null) {
      addHint(
        'invitation_not_sent',
        `No invitation was sent to ${fields.email}. The participant ${fields.externalId ?? participant.id} has another e-mail address or none, and a renewal does not change the participant.`,
      )
    }
    return { participant, isNew: !known }
  })
}

/** The number of participants to invite in one write. */
const AT_ONCE = 50

const someInvited = query((orm) =>
  orm
    .select({ place: sql<number>`rowid`.as('place'), id: table.id })
    .from(table)
    .where(
      and(
        ofWorkspace(table),
        eq(table.meetingId, sql.placeholder('meetingId')),
        isNotNull(table.email),
        sql`rowid > ${sql.placeholder('after')}`,
      ),
    )
    .orderBy(sql`rowid`)
    .limit(AT_ONCE),
)

/**
 * Sends the time of a meeting to all participants with an e-mail address who last heard another one, and a new title to all of
 * them, in slices. Sends nothing while the meeting is INACTIVE, because it refuses connections. Its next activation sends the
 * time. `before` is the meeting before the update. Returns null if it finished at once.
 */
export function announceChange(
  workspace: Workspace,
  before: Meeting,
  { id: meetingId, title, status, sequence }: Meeting,
  joinUrl: JoinUrl,
): Promise<void> | null {
  const mayHaveChanged = before.status === 'INACTIVE' ? sequence > 0 : sequence !== before.sequence
  if (status === 'INACTIVE' || !mayHaveChanged) return null
  const isRenamed = title !== before.title
  let after = -1
  return workspace.writeInSlices(() => {
    const meeting = meetings.get(workspace, meetingId)
    // Another call changed the meeting again and sends its own invitations, or deactivated the meeting.
    if (meeting.sequence !== sequence || meeting.status === 'INACTIVE') return true
    const some = someInvited.all(workspace, { meetingId, after })
    for (const { place, id } of some) {
      const participant = participants.get(workspace, id)
      const { email } = participant
      after = place
      if (email === null) continue
      // Records of earlier versions do not have the time of the invitation: it was the one before this update.
      const heard = participant.invitedFor ?? before.startsAt
      const change = heard !== meeting.startsAt ? 'time' : isRenamed ? 'title' : undefined
      if (!change) continue
      const url = joinUrl(workspace, meeting, participant)
      sendInvitation(workspace, { meeting, participant, email, url, change })
    }
    return some.length < AT_ONCE
  })
}
