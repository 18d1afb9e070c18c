/** The operations that a session may call: those of the interfaces, and those of the control plane. */
import { nearestName } from '@suite-sim/kit/text/nearestName'
import {
  parametersOf,
  type Content,
  type Document,
  type Operation,
  type Parameter,
} from '../shared/document.ts'
import { isControl, type Interface } from '../shared/interfaces.ts'
import { confined, refusalOf, type Scope } from './scope.ts'

export interface InterfaceOperation {
  readonly of: Interface
  readonly document: Document
  readonly name: string
  /** "POST" */
  readonly method: string
  /** The path template with the base path: "/pay/v1/payment-links/{id}". */
  readonly template: string
  readonly operation: Operation
  readonly parameters: readonly Parameter[]
  readonly isReading: boolean
  /** The parameter that can only be the workspace of the session, which is its default. */
  readonly bound?: {
    readonly place: 'path' | 'query' | 'body'
    readonly name: string
    readonly workspace: string
  }
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

export class Operations {
  readonly interfaces: readonly Interface[]
  readonly scope: Scope
  readonly #read: (name: string) => Promise<Document>
  #known: Promise<readonly InterfaceOperation[]> | null = null

  /** `read` returns the OpenAPI document of an interface. It is called when the first operation is needed. */
  constructor(interfaces: readonly Interface[], scope: Scope, read: (name: string) => Promise<Document>) {
    this.interfaces = interfaces
    this.scope = scope
    this.#read = read
  }

  /** Returns the operations that the session offers, in the order of the interfaces and their documents. */
  async all(): Promise<readonly InterfaceOperation[]> {
    return (await this.#loaded()).filter((each) => refusalOf(each, this.scope) === null)
  }

  #loaded(): Promise<readonly InterfaceOperation[]> {
    return (this.#known ??= this.#load())
  }

  async #load(): Promise<readonly InterfaceOperation[]> {
    const { workspace } = this.scope
    try {
      const documents = await Promise.all(this.interfaces.map(({ name }) => this.#read(name)))
      return this.interfaces
        .flatMap((each, index) => (documents[index] ? operationsOf(each, documents[index]) : []))
        .map((each) => (workspace !== null && isControl(each) ? confined(each, workspace) : each))
    } catch (error) {
      this.#known = null
      throw error
    }
  }

  /** Returns an operation. Throws an error with the reason or the nearest name if the session does not offer it. */
  async get(of: unknown, name: unknown): Promise<InterfaceOperation> {
    const own = await this.ofInterface(of)
    const found = own.find((each) => each.name === name)
    if (found) return found
    const refusal = await this.refusal((each) => each.of.name === of && each.name === name)
    const reason = refusal ?? nearestOf(String(name), own)
    throw new Error(`${String(of)} has no operation ${shown(name)} in this session. ${reason}`)
  }

  /** Returns why the session does not offer the operation that matches; null if none matches. */
  async refusal(matches: (each: InterfaceOperation) => boolean): Promise<string | null> {
    const found = (await this.#loaded()).find(matches)
    return found ? refusalOf(found, this.scope) : null
  }

  /** Returns the operations of one interface. Throws if the session does not have it. */
  async ofInterface(of: unknown): Promise<readonly InterfaceOperation[]> {
    const names = this.interfaces.map(({ name }) => name)
    if (!names.includes(String(of))) {
      throw new Error(`interface must be one of ${names.join(', ')}; it was ${shown(of)}`)
    }
    return (await this.all()).filter((each) => each.of.name === of)
  }
}

function nearestOf(written: string, operations: readonly InterfaceOperation[]): string {
  const [near] = nearestNames(
    written,
    operations.map(({ name }) => name),
  )
  return near === undefined ? 'search_operations finds the operations.' : `The nearest name is ${near}.`
}

export const nearestNames = (written: string, known: readonly string[]): string[] => {
  const near = nearestName(written, known)
  return near === null ? [] : [near]
}

/** Returns a value as it stands in an error message, cut at 100 characters. */
export const shown = (value: unknown): string => JSON.stringify(value ?? null).slice(0, 100)

const operationsOf = (of: Interface, document: Document): InterfaceOperation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => ({
        of,
        document,
        name: operation.operationId ?? `${method} ${path}`,
        method: method.toUpperCase(),
        template: of.basePath + path,
        operation,
        parameters: parametersOf(document, operation),
        isReading: method === 'get',
      })),
  )

export const MULTIPART = 'multipart/form-data'

export const contentOf = ({ operation }: InterfaceOperation, type: string): Content | undefined =>
  operation.requestBody?.content?.[type]

/** True if the operation needs no key. It may then choose a workspace by a parameter. */
export const isOpen = ({ operation, document }: InterfaceOperation): boolean =>
  (operation.security ?? document.security ?? []).length === 0

/** The parameter by which an operation without a key chooses the workspace. The session sets it. */
export const WORKSPACE_PARAMETER = 'workspace'

export const parametersIn = (operation: InterfaceOperation, place: 'path' | 'query'): Parameter[] =>
  operation.parameters.filter(
    (each) => each.in === place && !(isOpen(operation) && each.name === WORKSPACE_PARAMETER),
  )
