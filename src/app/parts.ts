/** The parts of the server: one for each interface and one for the control plane, by name. */
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { basename, dirname } from 'node:path'
import type { InterfaceDefinition, Published } from '../http/definition/definition.ts'
import type { PartOptions } from '../http/lifecycle/createPart.ts'
import type { KnownPath } from '../http/definition/nearestPath.ts'
import { Part, type OpenedPart } from '../http/server/parts.ts'
import { Slices } from '../state/model/slices.ts'

/** Returns the part of a definition, which is built on first use. */
export function partOf(definition: InterfaceDefinition, surroundings: PartOptions): Part {
  return new Part(definition, async () => {
    const { createPart } = await import('../http/lifecycle/createPart.ts')
    const opened = await createPart(definition, surroundings)
    const { name, cablePath, channels, dialect } = opened.definition
    if (!channels || cablePath === undefined) return opened
    const { Cable } = await import('../http/cable/server.ts')
    const { workspaces, trustedProxies } = surroundings
    const cable = new Cable({
      channels,
      workspaces,
      failed: (error) => {
        opened.server.log.error({ err: error }, 'a request over a cable failed')
      },
      ...(trustedProxies && { trustedProxies }),
      watched: {
        interface: name,
        path: cablePath,
        credential: dialect.credential,
        warn: (facts, text) => {
          opened.server.log.warn(facts, text)
        },
      },
    })
    return { ...opened, cable }
  })
}

export class Parts {
  readonly #interfaces: readonly InterfaceDefinition[]
  readonly #all: Map<string, Part>
  #paths: Promise<readonly KnownPath[]> | undefined

  constructor(interfaces: readonly InterfaceDefinition[], surroundings: PartOptions) {
    this.#interfaces = interfaces
    this.#all = new Map(interfaces.map((each) => [each.name, partOf(each, surroundings)]))
  }

  get all(): readonly Part[] {
    return [...this.#all.values()]
  }

  /** Adds the control plane, which needs the parts of the interfaces. */
  add(name: string, part: Part): void {
    this.#all.set(name, part)
  }

  has(name: string): boolean {
    return this.#all.has(name)
  }

  /** Returns an interface or the control plane with its routes; builds it on first use. */
  published(name: string): Promise<Published> {
    return this.#open(name)
  }

  async send(name: string, call: InjectOptions): Promise<LightMyRequestResponse> {
    const { server } = await this.#open(name)
    return server.inject(call)
  }

  async #open(name: string): Promise<OpenedPart> {
    const part = this.#all.get(name)
    if (!part) throw new Error(`there is no interface ${name}`)
    return part.open()
  }

  /** Returns all interfaces. Opens one after the other, because building all at once would block other requests. */
  async allInterfaces(): Promise<Published[]> {
    const slices = new Slices()
    const all: Published[] = []
    for (const { name } of this.#interfaces) {
      if (slices.isOver) await slices.turn()
      all.push(await this.published(name))
    }
    return all
  }

  /** Returns the paths of all routes, the interfaces first. */
  paths(): Promise<readonly KnownPath[]> {
    this.#paths ??= this.#collectPaths().catch(() => {
      // A part that fails to build reports that to its own callers.
      this.#paths = undefined
      return []
    })
    return this.#paths
  }

  async #collectPaths(): Promise<readonly KnownPath[]> {
    const all = [...(await this.allInterfaces()), await this.published('control')]
    const cables = this.#interfaces.flatMap(({ cablePath }) => cablePath ?? [])
    return [
      ...all.flatMap(({ definition: { basePath }, routes }) =>
        routes.map(({ path }) => ({ basePath, path })),
      ),
      ...cables.map((path) => ({ basePath: dirname(path), path: `/${basename(path)}` })),
    ]
  }
}
