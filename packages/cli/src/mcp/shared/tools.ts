/** The tools of a session, as the protocol lists and calls them. */
import { closedSchema, type Document, type Parameter, type Schema } from './document.ts'

export interface InputSchema {
  readonly type: 'object'
  readonly properties: Schema
  readonly required: readonly string[]
  readonly additionalProperties: false
}

export type Args = Readonly<Record<string, unknown>>

export interface ToolAnswer {
  readonly texts: readonly string[]
  readonly isError?: boolean
}

/** A tool. The model receives the messages of thrown errors. */
export interface Tool {
  readonly name: string
  readonly description: string
  readonly inputSchema: InputSchema
  /** Whether the tool is read-only. All other tools are marked as destructive. */
  readonly isReading: boolean
  run(args: Args): Promise<ToolAnswer> | ToolAnswer
}

export const inputSchemaOf = (
  properties: InputSchema['properties'],
  required: readonly string[] = [],
): InputSchema => ({ type: 'object', properties, required, additionalProperties: false })

export const parameterSchema = (document: Document, { schema = {}, description }: Parameter): Schema => ({
  ...closedSchema(document, schema),
  ...(description !== undefined && { description }),
})

/** Returns the query of a URL, with its question mark; '' without values. A list repeats its name. */
export function queryText(values: Schema): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue
    for (const each of [value].flat()) query.append(name, textOf(each))
  }
  return query.size === 0 ? '' : `?${query.toString()}`
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
