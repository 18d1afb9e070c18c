/** The shape of a document, and the state of writing the part of one interface. */
import type { Reason } from '../../state/model/refusal.ts'
import type { LoadedInterface, MountedRoute } from '../definition/definition.ts'
import type { JsonObject, PublishedSchemas } from './components.ts'

export interface OpenApiDocument {
  readonly openapi: string
  readonly info: JsonObject
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  /** The credentials that an operation needs, unless it has its own. */
  readonly security: readonly JsonObject[]
  readonly tags: readonly Tag[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, PublishedOperation>>>>
  readonly webhooks?: Readonly<Record<string, JsonObject>>
  readonly components: Components
  /** Addresses that are no operations, as full paths: WebSockets and pages. */
  readonly 'x-addresses'?: Readonly<Record<string, JsonObject>>
  readonly 'x-tagGroups'?: readonly { readonly name: string; readonly tags: readonly string[] }[]
}

export interface Tag {
  readonly name: string
  readonly description: string
}

export interface Components {
  readonly schemas: Readonly<Record<string, JsonObject>>
  readonly responses: Readonly<Record<string, JsonObject>>
  readonly parameters: Readonly<Record<string, JsonObject>>
  readonly securitySchemes: Readonly<Record<string, JsonObject>>
}

export interface PublishedOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly parameters?: readonly JsonObject[]
  readonly requestBody?: JsonObject
  readonly responses: Readonly<Record<string, JsonObject>>
  readonly [word: string]: unknown
}

/** The naming of a document. */
export interface Names {
  /** The prefix of component names: "" or "Catalog". */
  readonly prefix: string
  path(path: string): string
  operationId(id: string): string
  tag(tag: string): string
  event(name: string): string
}

/** The state of writing the part of one interface. */
export interface DocumentPart {
  readonly definition: LoadedInterface
  /** All routes of the interface. */
  readonly routes: readonly MountedRoute[]
  readonly names: Names
  readonly schemas: PublishedSchemas
  /** The credentials of the document, for operations without their own. */
  readonly security: readonly JsonObject[]
  readonly responses: Record<string, JsonObject>
  /** The reasons to refuse by status, of all operations of the interface. */
  readonly reasons: ReadonlyMap<number, readonly Reason[]>
}
