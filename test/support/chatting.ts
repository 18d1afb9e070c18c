/** An account with a website inbox, for tests of the cable and of the widget. */
import { freshApp, type Answer, type FreshApp, type FreshOptions, type Method } from './app.ts'
import { listenTo } from './payers.ts'
import { plainClient, type PlainClient } from './cables.ts'

// oxlint-disable-next-line typescript/no-explicit-any
type Body = any

interface Subscriber extends PlainClient {
  readonly answer: string | undefined
}

export interface Chat extends FreshApp {
  /** Calls paths relative to the account. */
  readonly chat: (method: Method, path: string, body?: unknown) => Promise<Answer<Body>>
  /** Creates the inbox of a website and returns its id. */
  readonly website: (fields?: object) => Promise<number>
  /** Receives a message of a contact and returns the ids of the conversation and the message. */
  readonly receive: (body: object) => Promise<{ conversation_id: number; message_id: number }>
  /** Subscribes to the events of an agent. */
  readonly agent: () => Promise<Subscriber>
  /** Subscribes to the room with these parameters. */
  readonly subscriber: (params: object) => Promise<Subscriber>
}

export async function freshChat(options: FreshOptions = {}): Promise<Chat> {
  const fresh = await freshApp(options)
  const chat: Chat['chat'] = (method, path, body) =>
    fresh.at('conversations')(method, `/accounts/${String(fresh.workspace.tenantId)}${path}`, {
      ...(body !== undefined && { body }),
    }) as Promise<Answer<Body>>
  const subscriber: Chat['subscriber'] = async (params) => {
    const client = await plainClient(`${(await listenTo(fresh)).replace('http', 'ws')}/chat/cable`)
    await client.next()
    client.send('subscribe', { channel: 'RoomChannel', ...params })
    return { ...client, answer: (await client.next()).type }
  }
  return {
    ...fresh,
    chat,
    subscriber,
    agent: () => subscriber({ pubsub_token: fresh.key, account_id: fresh.workspace.tenantId }),
    async website(fields = {}) {
      const channel = { type: 'web_widget', website_url: 'https://almendro.example' }
      const { body } = await chat('POST', '/inboxes', { name: 'Website', channel, ...fields })
      return body.id
    },
    async receive(body) {
      const url = `/_sim/workspaces/${fresh.workspace.id}/triggers/conversations.message.receive`
      const { body: result } = (await fresh.call('POST', url, { body })) as Answer<Body>
      return result.result ?? result
    },
  }
}
