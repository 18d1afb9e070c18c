/** The addresses of conversations that are not operations. docs/real-time.md describes them. */
import type { PublishedAddress } from '../../http/definition/definition.ts'
import { assumed } from '../../state/model/fidelity.ts'
import { PUSHED } from './pushing.ts'
import { PAGES_PATH } from './widgetAddress.ts'

const CABLE_PATH = '/chat/cable'

export const addresses: readonly PublishedAddress[] = [
  {
    path: CABLE_PATH,
    summary: 'Real-time events of an account',
    fidelity: assumed(
      'The specification shows only that a VIP change is pushed in real time. The simulator provides a WebSocket in the ActionCable format; its channel, tokens and events follow Chatwoot. It disconnects a client without a subscription after 30 seconds. It accepts at most 2000 clients, 500 per address and 500 per workspace.',
    ),
    details: {
      protocol: 'actioncable-v1-json',
      channel: 'RoomChannel',
      parameters: {
        pubsub_token: 'A key with access to conversations, or the token of a widget visitor.',
        account_id: 'The account of the key. Optional.',
      },
      query: {
        workspace:
          'The id of the workspace, in the URL of the handshake. Optional; behind a proxy in front of several servers, it leads to the right one.',
      },
      events: PUSHED,
    },
  },
  {
    path: `${PAGES_PATH}/{workspace}/{inbox}`,
    summary: 'Page of a web widget, on which a visitor writes as a contact',
    fidelity: assumed(
      'The specification shows inboxes of the channel web_widget but not their pages. A visitor becomes a new contact unless the browser sends a token of an earlier visit; a token is valid for one contact in one inbox. The website of the inbox may embed the page in a frame. Messages are shown with their Markdown, without HTML; options of the type input_select are buttons that send their title.',
    ),
  },
]
