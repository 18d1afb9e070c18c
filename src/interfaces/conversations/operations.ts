/** The operations of conversations and messages. Those whose responses contain messages follow the reading of their type. */
import { operationsOf } from '../../http/definition/operation.ts'
import { messageType } from '../../state/conversations/readings.ts'

const TAG = 'Conversations'

export const conversationOperation = operationsOf({ tag: TAG })

/** For responses with conversations, which contain their last messages. */
export const operationWithConversations = operationsOf({ tag: TAG, readings: [messageType] })

export const messageOperation = operationsOf({ tag: 'Messages', readings: [messageType] })
