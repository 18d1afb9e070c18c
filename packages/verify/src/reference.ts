/**
 * The simulator that a run compares with. It runs in the process of the run, has the documents and claims of the interfaces,
 * and a workspace for each purpose.
 */
import { INTERFACE_NAMES, type InterfaceName } from '@suite-sim/kit/interfaceNames'
import type { Overlay, OpenApiDocument } from '../../../src/published.ts'
import { SimulatorClient } from '@suite-sim/client/client'
import type { Service } from './exchanges/serviceClient.ts'
import { claimsOf, type Claims, type PublishedMachine } from './model/claims.ts'
import { documentedFacts } from './model/documentedFacts.ts'
import { operationsOf, type Operation } from './model/operation.ts'

/** A started simulator. */
export interface StartedServer {
  readonly url: string
  readonly close: () => Promise<void>
}

/** Starts a simulator in memory without rate limits, which follows an overlay. */
export type StartServer = (options: ServerOptions) => Promise<StartedServer>

export interface ServerOptions {
  /** An overlay, which is followed also where it contradicts the specification. */
  readonly observed?: Overlay
  readonly readings?: Readonly<Record<string, string>>
}

/** A reading as `GET /_sim/readings` lists it. */
export interface PublishedReading {
  readonly name: string
  readonly default: string
  readonly alternatives: readonly { readonly value: string }[]
}

/** One interface as the simulator publishes it. */
export interface PublishedInterface {
  readonly name: InterfaceName
  readonly operations: readonly Operation[]
  readonly claims: Claims
}

/** A workspace of the reference. */
export interface Scratch {
  readonly service: Service
  readonly accountId: number
  readonly workspaceId: string
  readonly timezone: string
}

export class Reference {
  readonly url: string
  readonly #server: StartedServer
  readonly #client: SimulatorClient
  readonly #published = new Map<InterfaceName, Promise<PublishedInterface>>()
  #machines: Promise<readonly PublishedMachine[]> | null = null

  private constructor(server: StartedServer) {
    this.#server = server
    this.#client = new SimulatorClient(server.url)
    this.url = server.url
  }

  static async start(start: StartServer, options: ServerOptions = {}): Promise<Reference> {
    return new Reference(await start(options))
  }

  /** Returns the operations and claims of an interface. */
  published(name: InterfaceName): Promise<PublishedInterface> {
    let published = this.#published.get(name)
    if (!published) this.#published.set(name, (published = this.#publish(name)))
    return published
  }

  async #publish(name: InterfaceName): Promise<PublishedInterface> {
    this.#machines ??= this.#get<{ data: PublishedMachine[] }>('/_sim/machines').then(({ data }) => data)
    const [document, machines] = await Promise.all([
      this.#get<OpenApiDocument>(`/_sim/openapi/${name}.json`),
      this.#machines,
    ])
    const operations = operationsOf(name, document)
    const list = documentedFacts(name)
    return { name, operations, claims: claimsOf({ name, document, list, operations, machines }) }
  }

  /** Returns where the specification can be read in two ways. */
  async readings(): Promise<readonly PublishedReading[]> {
    return (await this.#get<{ data: PublishedReading[] }>('/_sim/readings')).data
  }

  /** Creates a workspace with the records of a fixture or of a snapshot. */
  async scratch(
    fixtures: 'none' | 'demo' | object,
    settings: { readonly timezone?: string } = {},
  ): Promise<Scratch> {
    const options = { fixtures, ...settings } as Parameters<SimulatorClient['workspaces']['create']>[0]
    const workspace = await this.#client.workspaces.create(options)
    return {
      service: { baseUrl: this.url, key: workspace.key },
      accountId: workspace.accountId,
      workspaceId: workspace.id,
      timezone: workspace.timezone,
    }
  }

  /** Replaces the records of a workspace. Throws an error that says which record does not fit. */
  async load({ workspaceId }: Scratch, snapshot: object): Promise<void> {
    const workspace = await this.#client.workspaces.get(workspaceId)
    await workspace.snapshots.put(snapshot as Parameters<typeof workspace.snapshots.put>[0])
  }

  async setClock({ workspaceId }: Scratch, now: string): Promise<void> {
    const workspace = await this.#client.workspaces.get(workspaceId)
    await workspace.clock.set({ now, frozen: true })
  }

  async delete({ workspaceId }: Scratch): Promise<void> {
    await this.#client.workspaces.delete(workspaceId)
  }

  async #get<Body>(path: string): Promise<Body> {
    const response = await fetch(`${this.url}${path}`)
    if (!response.ok) throw new Error(`${path} of the simulator answers ${String(response.status)}`)
    return (await response.json()) as Body
  }

  async close(): Promise<void> {
    await this.#server.close()
  }
}

export const ALL_INTERFACES: readonly InterfaceName[] = INTERFACE_NAMES
