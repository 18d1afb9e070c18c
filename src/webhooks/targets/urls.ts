/** Parts of webhook URLs. `allowedTargets.ts` has the allowed hosts. */
import { isListenerUrl, sessionOf, targetOf, listenerUrl } from './listenerUrls.ts'

/** Returns scheme, host and port, to which limits of concurrency apply. An invalid URL is returned unchanged. */
export function originOf(url: string): string {
  if (isListenerUrl(url)) return listenerUrl(sessionOf(url), originOf(targetOf(url)))
  return URL.canParse(url) ? new URL(url).origin : url
}

/** Returns the port in the URL, or that of the protocol. */
export function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port)
  return protocol === 'https:' ? 443 : 80
}
