/** The settings that all commands for a running server have. */

/** The server and the credentials. */
export interface ServerSettings {
  readonly url: string
  readonly adminToken?: string
  readonly json?: boolean
}

/** The server, the credentials and the workspace. */
export interface WorkspaceSettings extends ServerSettings {
  readonly workspace: string
}
