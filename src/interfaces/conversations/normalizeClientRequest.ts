/** Accepts requests as Chatwoot clients send them: with a trailing slash, and PUT to update a contact (assumed). */
import type { RequestRewriter } from '../../http/definition/definition.ts'

const CONTACT = /^\/chat\/api\/v1\/accounts\/[^/?]+\/contacts\/[^/?]+$/

export const normalizeClientRequest: RequestRewriter = (method, url) => {
  const [path = '', ...query] = url.split('?')
  const plain = path.length > 1 ? path.replace(/\/$/, '') : path
  return {
    method: method === 'PUT' && CONTACT.test(plain) ? 'PATCH' : method,
    url: [plain, ...query].join('?'),
  }
}
