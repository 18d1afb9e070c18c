import type { Route } from './route.ts'
import type { Workspace } from './server.ts'

/** The props of each page. */
export interface PageProps {
  readonly workspace: Workspace
  readonly query: Route['query']
}
