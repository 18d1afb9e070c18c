/**
 * The answers of a server that is one of several name it (`X-Sim-Shard`). A call of the control plane can name the server
 * with `?shard=s1`, by which a proxy chooses it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'

/** Names the server in the response, and removes its own name from the query of a call of the control plane. */
export function nameShard(shard: string, request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('x-sim-shard', shard)
  const { url = '' } = request
  if (url.startsWith('/_sim/') && url.includes('shard=')) request.url = withoutShard(url, shard)
}

function withoutShard(url: string, shard: string): string {
  const [path = '', query = ''] = url.split(/\?(.*)/s)
  const rest = query.split('&').filter((parameter) => parameter !== `shard=${shard}`)
  return rest.length === 0 ? path : `${path}?${rest.join('&')}`
}
