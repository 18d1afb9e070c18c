/** The operations of conversations and messages. Those whose responses contain messages follow the reading of their type. */
import { operationsOf } from '../../http/definition/operation.ts'
import { messageType } from '../../state/conversations/readings.ts'

/** Why the statuses of all successes are assumed. */
export const NO_STATUS = 'The specification does not show the status; the simulator returns 200.'

const COMMON = { tag: 'Conversations', assumedStatus: NO_STATUS } as const

export const conversationOperation = operationsOf(COMMON)

/** For responses with conversations, which contain their last messages. */
export const operationWithConversations = operationsOf({ ...COMMON, readings: [messageType] })

export const messageOperation = operationsOf({
  tag: 'Messages',
  assumedStatus: NO_STATUS,
  readings: [messageType],
})
