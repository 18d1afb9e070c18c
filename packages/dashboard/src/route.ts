/** The route is in the address bar, so that users can share it: `#/calls?workspace=demo&status=404`. */
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

/** Returns the address of a route. Omits parameters that are undefined or empty. */
export function addressOf(page: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value) params.set(name, value)
  return `#/${page}${params.size === 0 ? '' : `?${params.toString()}`}`
}

export const currentRoute = (): Route => routeOf(location.hash)

export function useRoute(): Route {
  const [route, setRoute] = useState(currentRoute)
  useEffect(() => {
    const update = (): void => {
      setRoute(currentRoute())
    }
    addEventListener('hashchange', update)
    return () => {
      removeEventListener('hashchange', update)
    }
  }, [])
  return route
}

/** Returns the address of a page for the current workspace. */
export const to = (page: string, query: Readonly<Record<string, string | undefined>> = {}): string =>
  addressOf(page, { workspace: currentRoute().query['workspace'], ...query })

/** Returns the address of this page with other parameters. */
export const withQuery = (changes: Readonly<Record<string, string | undefined>>): string => {
  const { page, query } = currentRoute()
  return addressOf(page, { ...query, ...changes })
}

/** Changes the filters of this page. Replaces the history entry, so that Back leaves the page. */
export function filter(changes: Readonly<Record<string, string | undefined>>): void {
  location.replace(withQuery(changes))
}

/** Returns the address of this page with an entry opened; undefined closes the entry. */
export const openAddress = (open: string | undefined): string => withQuery({ open })
