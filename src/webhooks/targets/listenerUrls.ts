/** The URLs of deliveries to listeners: "listen:SESSION/http://localhost:3000/hooks". */

const SCHEME = 'listen:'

/** The start of the ids of their subscriptions, which have no rows. */
const SUBSCRIPTION = 'listener_'

export const isListenerUrl = (url: string): boolean => url.startsWith(SCHEME)

/** `target` is the local URL, or "print" for a listener that only prints. */
export const listenerUrl = (session: string, target: string): string => `${SCHEME}${session}/${target}`

/** Returns the session in a URL or an origin. */
export const sessionOf = (url: string): string => url.slice(SCHEME.length, url.indexOf('/'))

/** Returns the local URL, or "print". */
export const targetOf = (url: string): string => url.slice(url.indexOf('/') + 1)

export const subscriptionId = (session: string, route: number, of: string): string =>
  `${SUBSCRIPTION}${session}_${String(route)}_${of}`

export const isListenerSubscription = (id: string): boolean => id.startsWith(SUBSCRIPTION)
