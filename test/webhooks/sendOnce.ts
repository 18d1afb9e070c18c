/** Sends one delivery from a thread, prints what came of it, and closes nothing. Arguments: the thread's file, url. */
import { ThreadedSender } from '../../src/webhooks/threadedSender.ts'

const [file = '', url = ''] = process.argv.slice(2)
const died = (error: unknown): void => {
  throw error
}
const sender = new ThreadedSender({
  file,
  timeoutMs: 10_000,
  promptMs: 100,
  headers: [],
  connections: 1,
  most: 1,
  died,
})
sender.send({ url, headers: [], body: '{}' }, (result) => {
  process.stdout.write(JSON.stringify(result))
})
