/** Where somebody is, kept in the address bar so that it can be sent to others: `#/calls?workspace=demo&status=404`. */
import { useEffect, useState } from 'preact/hooks'

export interface Route {
  readonly page: string
  readonly query: Readonly<Record<string, string>>
}

const START = 'now'

function routeOf(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?')
  return { page: path || START, query: Object.fromEntries(new URLSearchParams(search)) }
}

/** The address of a route; what is undefined or empty is left out. */
export function addressOf(page: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const written = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value) written.set(name, value)
  return `#/${page}${written.size === 0 ? '' : `?${written.toString()}`}`
}

export const currentRoute = (): Route => routeOf(location.hash)

export function useRoute(): Route {
  const [route, setRoute] = useState(currentRoute)
  useEffect(() => {
    const changed = (): void => {
      setRoute(currentRoute())
    }
    addEventListener('hashchange', changed)
    return () => {
      removeEventListener('hashchange', changed)
    }
  }, [])
  return route
}

/** The address of a page of the workspace that is looked at now. */
export const to = (page: string, query: Readonly<Record<string, string | undefined>> = {}): string =>
  addressOf(page, { workspace: currentRoute().query['workspace'], ...query })

/** This page with other filters; a filter changes what is seen and not where one is, so it leaves no step to go back. */
export function filter(changes: Readonly<Record<string, string | undefined>>): void {
  const { page, query } = currentRoute()
  location.replace(addressOf(page, { ...query, ...changes }))
}

/** This page with something opened, or closed for undefined. */
export const opening = (open: string | undefined): string => {
  const { page, query } = currentRoute()
  return addressOf(page, { ...query, open })
}
