/** A webhook receiver: accepts every delivery at once, or never responds, like the worst receivers. */
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { answerQuestions } from '../answering.ts'
import { Messages } from '../framing.ts'

export type ReceiverQuestion =
  /** Listens, at a free port for 0; `silent` never responds. */
  | { readonly listen: number; readonly silent?: boolean }
  /** Stops listening. */
  | { readonly close: true }
  /** Answers when this many have been received since it listens. */
  | { readonly received: number }

/** The port, or how many have been received. */
export type ReceiverAnswer = number

const ACCEPTED = Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')

const sockets = new Set<Socket>()
let server: Server | null = null
let received = 0
let awaited: { count: number; reached: () => void } | null = null

answerQuestions<ReceiverQuestion, ReceiverAnswer>(async (question) => {
  if ('listen' in question) return listen(question.listen, question.silent ?? false)
  if ('close' in question) await close()
  else if (received < question.received) {
    await new Promise<void>((reached) => (awaited = { count: question.received, reached }))
  }
  return received
})

async function listen(port: number, silent: boolean): Promise<number> {
  received = 0
  server = createServer({ noDelay: true }, (socket) => {
    const messages = new Messages()
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // A sender that ends with the bench resets its connections.
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk) => {
      messages.feed(chunk, () => {
        if (!silent) socket.write(ACCEPTED)
        received++
        if (received === awaited?.count) awaited.reached()
      })
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function close(): Promise<void> {
  if (!server) return
  const closed = once(server, 'close')
  server.close()
  for (const socket of sockets) socket.destroy()
  await closed
  server = null
}
