/**
 * Where webhooks may be sent. Specification part 2, "Point-of-sale webhook": HTTPS. Plain http is let through for
 * this machine, so that a local receiver works, and for the hosts that `--webhook-http-hosts` names.
 */

/** Whether a host, as `URL.hostname` spells it, is this machine: localhost and below, 127.0.0.0/8, [::1]. */
export const isLoopback = (host: string): boolean =>
  host === '[::1]' || /(?:^|\.)localhost\.?$/.test(host) || /^127(?:\.\d{1,3}){3}$/.test(host)

/**
 * What is wrong with the URL, in a sentence; null when nothing is. `httpHosts` are host names without a port, "*"
 * for every host.
 */
export function urlProblem(text: string, httpHosts: readonly string[] = []): string | null {
  if (!URL.canParse(text)) return 'url must be an absolute URL'
  const { protocol, hostname, username, password } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') return 'url must be an HTTPS URL'
  if (username !== '' || password !== '') return 'url must not hold credentials'
  if (protocol === 'https:' || isLoopback(hostname) || mayUseHttp(hostname, httpHosts)) return null
  return `url must be an HTTPS URL; plain http is for loopback hosts and those named by --webhook-http-hosts, not for ${hostname}`
}

const mayUseHttp = (host: string, httpHosts: readonly string[]): boolean =>
  httpHosts.includes('*') || httpHosts.some((name) => name.toLowerCase() === host)

/** Scheme, host and port: what shares one bound on concurrency. A text that is no URL stands for itself. */
export const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url)
