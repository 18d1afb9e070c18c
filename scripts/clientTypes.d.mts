import type { App } from '../src/app.ts'

export function interfaceTypes(app: App, names: readonly string[]): Promise<Record<string, string>>

/** What the clients are generated from. */
export interface ClientDocuments {
  /** The OpenAPI document of the control plane. */
  readonly document: Readonly<Record<string, unknown>>
  readonly triggers: readonly Readonly<Record<string, unknown>>[]
  readonly interfaces: Readonly<Record<string, { readonly basePath: string; readonly header?: string }>>
  /** The webhook events of each interface. */
  readonly events: Readonly<Record<string, readonly string[]>>
  readonly sections: readonly string[]
  /** The method and path of each operation, by its id. */
  readonly calls: Readonly<Record<string, readonly [method: string, path: string]>>
}

export function clientDocuments(app: App, interfaceNames: readonly string[]): Promise<ClientDocuments>
