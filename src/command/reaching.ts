/** What every command that steers is told by its flags. */

/** Where the server is and who asks. */
export interface Reaching {
  readonly url: string
  readonly adminToken?: string
  readonly json?: boolean
}

/** With the workspace that is meant. */
export interface Within extends Reaching {
  readonly workspace: string
}
