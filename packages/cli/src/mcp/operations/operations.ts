/** The operations of the interfaces that a session may call. */
import { nearestName } from '@suite-sim/kit/text/nearestName'
import {
  parametersOf,
  type Content,
  type Document,
  type Operation,
  type Parameter,
} from '../shared/document.ts'

export interface Interface {
  readonly name: string
  readonly title: string
  readonly basePath: string
}

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
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

export class Operations {
  readonly interfaces: readonly Interface[]
  readonly isReadOnly: boolean
  readonly #read: (name: string) => Promise<Document>
  #all: Promise<readonly InterfaceOperation[]> | null = null

  /** `read` returns the OpenAPI document of an interface. It is called when the first operation is needed. */
  constructor(
    interfaces: readonly Interface[],
    isReadOnly: boolean,
    read: (name: string) => Promise<Document>,
  ) {
    this.interfaces = interfaces
    this.isReadOnly = isReadOnly
    this.#read = read
  }

  /** Returns the operations in the order of the interfaces and their documents. */
  all(): Promise<readonly InterfaceOperation[]> {
    return (this.#all ??= this.#load())
  }

  async #load(): Promise<readonly InterfaceOperation[]> {
    try {
      const documents = await Promise.all(this.interfaces.map(({ name }) => this.#read(name)))
      return this.interfaces.flatMap((each, index) => {
        const document = documents[index]
        return document ? operationsOf(each, document).filter((one) => this.#offers(one)) : []
      })
    } catch (error) {
      this.#all = null
      throw error
    }
  }

  #offers({ isReading }: InterfaceOperation): boolean {
    return isReading || !this.isReadOnly
  }

  /** Returns an operation. Throws an error with the nearest names if the session does not offer it. */
  async get(of: unknown, name: unknown): Promise<InterfaceOperation> {
    const own = await this.ofInterface(of)
    const found = own.find((each) => each.name === name)
    if (found) return found
    const [near] = nearestNames(
      String(name),
      own.map((each) => each.name),
    )
    const reason = this.isReadOnly ? ' This session is read-only: it has only GET operations.' : ''
    const hint =
      near === undefined ? 'search_operations finds the operations.' : `The nearest name is ${near}.`
    throw new Error(`${String(of)} has no operation ${shown(name)} in this session. ${hint}${reason}`)
  }

  /** Returns the operations of one interface. Throws if the session does not offer it. */
  async ofInterface(of: unknown): Promise<readonly InterfaceOperation[]> {
    const names = this.interfaces.map(({ name }) => name)
    if (!names.includes(String(of))) {
      throw new Error(`interface must be one of ${names.join(', ')}; it was ${shown(of)}`)
    }
    return (await this.all()).filter((each) => each.of.name === of)
  }
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
