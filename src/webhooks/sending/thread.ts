/** What runs in the thread of threadTransport.ts: a transport that is given its deliveries in messages. */
import { parentPort, workerData } from 'node:worker_threads'
import { Claims } from './claims.ts'
import { HttpTransport } from './httpTransport.ts'
import {
  addResult,
  readDeliveries,
  type DeliveriesMessage,
  type ReachMessage,
  type ResultsMessage,
  type ThreadData,
} from './messages.ts'

if (!parentPort) throw new Error('This runs in a thread only.')
const queue = parentPort
const { options, claimed } = workerData as ThreadData
const transport = new HttpTransport(options)
const claims = new Claims(claimed)
let results: ResultsMessage = []

/** What ends in one turn of the event loop goes back in one message. */
function report(): void {
  queue.postMessage(results)
  results = []
}

function send(message: DeliveriesMessage): void {
  readDeliveries(message, (number, outgoing) => {
    transport.send(
      outgoing,
      (result) => {
        if (results.length === 0) setImmediate(report)
        addResult(results, number, result)
      },
      () => claims.take(number),
    )
  })
}

// Until somebody listens, messages wait in the port.
void transport.load().then(() =>
  queue.on('message', (message: DeliveriesMessage | ReachMessage) => {
    if (Array.isArray(message)) send(message)
    else transport.heed(message)
  }),
)
