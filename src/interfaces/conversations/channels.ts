/**
 * The channels of /chat/cable (assumed, after Chatwoot). Agents subscribe to the RoomChannel with a key of the account as
 * `pubsub_token`, contacts with the token of their widget page, which is valid for one inbox.
 */
import type { Channels } from '../../http/cable/channel.ts'
import { isRemovedAgent } from '../../state/conversations/agents.ts'
import type { Registry } from '../../state/workspace/registry.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { subscriberOf } from './contactTokens.ts'
import { AGENTS, RESET, streamOfContact } from './pushing.ts'

/** Returns the workspace of a key that is valid for conversations now. */
function workspaceOfKey(workspaces: Registry, key: string) {
  const caller = workspaces.keys.caller(key)
  if (!caller) return undefined
  const { workspace, expiresAt, interfaces } = caller
  const isInvalid =
    (expiresAt !== null && expiresAt <= workspace.now()) || isRemovedAgent(workspace, caller.user.id)
  return isInvalid || interfaces?.has('conversations') === false ? undefined : workspace
}

const resetOf = ({ tenantId }: Workspace) => ({ event: RESET, data: { account_id: tenantId } })

export const channels: Channels = {
  RoomChannel({ pubsub_token: token, account_id: account }, workspaces) {
    if (typeof token !== 'string') return null
    const workspace = workspaceOfKey(workspaces, token)
    if (workspace) {
      const isOwnAccount =
        account === undefined ||
        [workspace.tenantId, String(workspace.tenantId)].some((own) => own === account)
      return isOwnAccount ? { workspace, streams: [AGENTS], replaced: resetOf(workspace) } : null
    }
    const subscriber = subscriberOf(workspaces, token)
    if (!subscriber) return null
    const { workspace: own, inbox, contact } = subscriber
    return { workspace: own, streams: [streamOfContact(contact.id, inbox.id)], replaced: resetOf(own) }
  },
}
