/**
 * What can be subscribed to at /chat/cable: the RoomChannel, by agents with a key of the account as `pubsub_token`, and by
 * contacts with the token of their page, which is for one inbox. That there is a cable, its format and its channel are assumed, as customary.
 */
import type { Channels } from '../../http/cable/channel.ts'
import { isRemovedAgent } from '../../state/conversations/agents.ts'
import type { Workspaces } from '../../state/workspaces.ts'
import { subscriberOf } from './contactTokens.ts'
import { AGENTS, streamOfContact } from './pushing.ts'

/** The workspace whose key it is, if it may be used for conversations now. */
function workspaceOfKey(workspaces: Workspaces, key: string) {
  const caller = workspaces.caller(key)
  if (!caller) return undefined
  const { workspace, expiresAt, interfaces } = caller
  const isOver =
    (expiresAt !== null && expiresAt <= workspace.now()) || isRemovedAgent(workspace, caller.user.id)
  return isOver || interfaces?.has('conversations') === false ? undefined : workspace
}

export const channels: Channels = {
  RoomChannel({ pubsub_token: token, account_id: account }, workspaces) {
    if (typeof token !== 'string') return null
    const workspace = workspaceOfKey(workspaces, token)
    if (workspace) {
      const isTheirs =
        account === undefined ||
        [workspace.tenantId, String(workspace.tenantId)].some((own) => own === account)
      return isTheirs ? { workspace, streams: [AGENTS] } : null
    }
    const subscriber = subscriberOf(workspaces, token)
    if (!subscriber) return null
    const { inbox, contact } = subscriber
    return { workspace: subscriber.workspace, streams: [streamOfContact(contact.id, inbox.id)] }
  },
}
