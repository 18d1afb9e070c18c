/** What the operations of conversations and messages have in common. */
import { messageType } from '../../state/conversations/readings.ts'

/** Why the statuses of all successes are assumed. */
export const NO_STATUS = 'The specification does not show the status; the simulator returns 200.'

export const CONVERSATIONS = { tag: 'Conversations', assumedStatus: NO_STATUS } as const

/** For responses with conversations, which contain their last messages. */
export const WITH_CONVERSATIONS = { ...CONVERSATIONS, readings: [messageType] } as const

/** Their responses contain messages, which follow the reading of the type. */
export const MESSAGES = { tag: 'Messages', assumedStatus: NO_STATUS, readings: [messageType] } as const
