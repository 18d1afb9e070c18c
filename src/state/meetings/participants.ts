/** Who may take part in a meeting. Specification part 3, "Participant". */
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { addHint } from '../causes.ts'
import { ofWorkspace, query } from '../query.ts'
import type { Workspace } from '../workspace.ts'
import { appendMeetingEvent } from './events.ts'
import { sendInvitation } from './invitations.ts'
import { meetings, mustAdmit, type Meeting } from './meetings.ts'
import { participants, participantWith, type Participant } from './sessionRecords.ts'
import { participants as table } from './tables.ts'

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
    const { email } = participant
    if (fields.email !== null && email !== null && isSameAddress(fields.email, email)) {
      const url = joinUrl(workspace, meeting, participant)
      sendInvitation(workspace, { meeting, participant, email, url })
    } else if (fields.email !== null) {
      addHint(
        'invitation_not_sent',
        `The participant ${fields.externalId ?? participant.id} has another e-mail address or none, and whose token is renewed stays as that one is: no invitation was sent to ${fields.email}.`,
      )
    }
    return { participant, isNew: !known }
  })
}

const isSameAddress = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** Participants who are written to in one write. */
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

/** Invites to the new time of a meeting everybody who was invited by e-mail, some at a time. Null says that it is done already. */
export function inviteAgain(
  workspace: Workspace,
  { id: meetingId, sequence }: Meeting,
  joinUrl: JoinUrl,
): Promise<void> | null {
  let after = -1
  return workspace.writeInSlices(() => {
    const meeting = meetings.get(workspace, meetingId)
    // Another call has moved it again, and writes to everybody itself.
    if (meeting.sequence !== sequence) return true
    const some = someInvited.all(workspace, { meetingId, after })
    for (const { place, id } of some) {
      const participant = participants.get(workspace, id)
      const { email } = participant
      if (email === null) continue
      const url = joinUrl(workspace, meeting, participant)
      sendInvitation(workspace, { meeting, participant, email, url, isMoved: true })
      after = place
    }
    return some.length < AT_ONCE
  })
}
