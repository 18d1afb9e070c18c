/** Sends one delivery from a thread, prints what came of it, and closes nothing. Arguments: the thread's file, url. */
import { WITHIN_THIS_MACHINE } from '../../../src/webhooks/reach.ts'
import { ThreadTransport } from '../../../src/webhooks/sending/threadTransport.ts'

const [file = '', url = ''] = process.argv.slice(2)
const died = (error: unknown): void => {
  throw error
}
const transport = new ThreadTransport({
  file,
  timeoutMs: 10_000,
  promptMs: 100,
  headers: [],
  connections: 1,
  most: 1,
  reach: WITHIN_THIS_MACHINE,
  died,
})
transport.send({ url, headers: [], body: '{}' }, (result) => {
  process.stdout.write(JSON.stringify(result))
})
