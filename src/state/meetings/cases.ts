/** The refusals of meetings with their own error codes. */
import { refuse, type Reason } from '../model/refusal.ts'

export type RefusedCase = 'meeting_unknown' | 'session_unknown' | 'meeting_inactive' | 'transcript_not_ready'

const REASONS: Readonly<Record<RefusedCase, Reason>> = {
  meeting_unknown: 'not_found',
  session_unknown: 'not_found',
  meeting_inactive: 'wrong_state',
  transcript_not_ready: 'not_found',
}

/** Refuses with one of these cases. */
export const refuseCase = (which: RefusedCase, message: string): never =>
  refuse(REASONS[which], message, { facts: { case: which } })
