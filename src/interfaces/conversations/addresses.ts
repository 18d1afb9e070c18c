/** What conversations answer outside their operations: docs/real-time.md is the guide. */
import type { PublishedAddress } from '../../http/definition.ts'
import { assumed } from '../../state/fidelity.ts'
import { PUSHED } from './pushing.ts'
import { PAGES_PATH } from './views.ts'

const CABLE_PATH = '/chat/cable'

export const addresses: readonly PublishedAddress[] = [
  {
    path: CABLE_PATH,
    summary: 'What happens in an account, in real time',
    fidelity: assumed(
      'Shown is that a VIP change is pushed in real time; a WebSocket in the format of ActionCable, its channel, tokens and events are customary. A client without a subscription is disconnected after 30 seconds; 2000 clients, 500 of an address, 500 of a workspace.',
    ),
    details: {
      protocol: 'actioncable-v1-json',
      channel: 'RoomChannel',
      parameters: {
        pubsub_token: 'A key that serves conversations, or the token of a visitor of the widget.',
        account_id: 'The account of the key; may be left out.',
      },
      events: PUSHED,
    },
  },
  {
    path: `${PAGES_PATH}/{workspace}/{inbox}`,
    summary: 'The page of a web widget, where a visitor writes as a contact',
    fidelity: assumed(
      'Shown are inboxes of the channel web_widget, and nothing of their pages. A visitor is a new contact unless its token, which is for one contact in one inbox, proves more; the website of the inbox may frame the page.',
    ),
  },
]
