/** Room connection tokens: JSON Web Tokens signed with HS256, valid for one day of the workspace's clock. Their format is assumed. */
import { createHash } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'
import type { Meeting } from '../../state/meetings/meetings.ts'
import { participants, type Participant } from '../../state/meetings/sessionRecords.ts'
import { refuse } from '../../state/model/refusal.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'

/** In seconds. */
const LIFETIME = 24 * 60 * 60

const ALGORITHM = 'HS256'

/** Derives a signing key that is valid only for meeting tokens of this workspace. */
const keyOf = ({ id, secret }: Workspace): Uint8Array =>
  createHash('sha256')
    .update(JSON.stringify(['meeting token', id, secret]))
    .digest()

/** Returns the latest token of a participant. */
export function tokenOf(workspace: Workspace, meeting: Meeting, participant: Participant): Promise<string> {
  const issuedAt = Math.floor(participant.tokenIssuedAt / 1000)
  return new SignJWT({
    meetingId: meeting.publicMeetingId,
    participantId: participant.id,
    presetName: participant.presetName,
  })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + LIFETIME)
    .setJti(participant.tokenId)
    .sign(keyOf(workspace))
}

/** Returns the participant of a token, or refuses. A renewed token stays valid until it expires. */
export async function participantOf(
  workspace: Workspace,
  meeting: Meeting,
  token: string,
): Promise<Participant> {
  const claims = await claimsOf(workspace, token)
  const id = claims?.['participantId']
  const participant = typeof id === 'string' ? participants.find(workspace, id) : undefined
  if (participant?.meetingId !== meeting.id) {
    return refuse('forbidden', 'The token does not belong to this meeting or has expired.')
  }
  return participant
}

async function claimsOf(
  workspace: Workspace,
  token: string,
): Promise<Readonly<Record<string, unknown>> | null> {
  try {
    const options = { algorithms: [ALGORITHM], currentDate: new Date(workspace.now()) }
    return (await jwtVerify(token, keyOf(workspace), options)).payload
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}
