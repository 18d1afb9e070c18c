/** Requests as clients of such products write them: with a slash at the end, and updates of contacts as PUT (assumed). */
import type { RequestRewriter } from '../../http/parts.ts'

const CONTACT = /^\/chat\/api\/v1\/accounts\/[^/?]+\/contacts\/[^/?]+$/

export const asClientsWrite: RequestRewriter = (method, url) => {
  const [path = '', ...query] = url.split('?')
  const plain = path.length > 1 ? path.replace(/\/$/, '') : path
  return {
    method: method === 'PUT' && CONTACT.test(plain) ? 'PATCH' : method,
    url: [plain, ...query].join('?'),
  }
}
