import type { Route } from './route.ts'
import type { Workspace } from './server.ts'

/** What each page is given. */
export interface PageProps {
  readonly workspace: Workspace
  readonly query: Route['query']
}
