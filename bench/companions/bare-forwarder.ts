/** A bare node:http process that answers each request and then sends its body to the URL of its argument. */
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

const [target = ''] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true })
const server = createServer((incoming, response) => {
  const chunks: Buffer[] = []
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
  incoming.on('end', () => {
    response.writeHead(201, { 'content-type': 'application/json' })
    response.end('{"id":"1"}', () => {
      const sent = request(target, { method: 'POST', agent }, (answer) => answer.resume())
      sent.on('error', () => undefined)
      sent.end(Buffer.concat(chunks))
    })
  })
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`{"url":"http://127.0.0.1:${String(port)}"}\n`)
})
