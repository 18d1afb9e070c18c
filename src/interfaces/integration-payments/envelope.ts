/** The envelope of every response: {success, data, message, timestamp}. Specification part 2, "Envelope". */
import { Type, type TSchema } from '@sinclair/typebox'
import type { Rendering } from '../../http/shapes/renderings.ts'
import { Instant, named } from '../../http/schemas/schemas.ts'
import { iso } from '@suite-sim/kit/time/instants'
import type { Filters, NumberedList } from '../../state/storage/queries/listing.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'

const Message = named(
  'Message',
  Type.String({
    description: 'A short sentence that says what was done (assumed).',
    examples: ['Payment links found'],
  }),
)

const Timestamp = named(
  'Timestamp',
  Instant({ description: 'The time of the response, on the clock of the workspace (assumed).' }),
)

/** The schema of a response with this data. */
export const Answer = <Schema extends TSchema>(data: Schema) =>
  Type.Object({ success: Type.Literal(true), data, message: Message, timestamp: Timestamp })

/** The schema of a response with one record under its name. */
export const One = <Name extends string, Schema extends TSchema>(name: Name, record: Schema) =>
  Answer(Type.Object({ [name]: record } as Record<Name, Schema>))

/** The schema of a response with a page of a list under its name. */
export const ListOf = <Name extends string, Schema extends TSchema>(name: Name, record: Schema) =>
  Answer(
    Type.Object({
      [name]: Type.Array(record),
      total: Type.Integer({ minimum: 0, description: 'The number of records on all pages (assumed).' }),
    } as Record<Name, ReturnType<typeof Type.Array<Schema>>> & { total: ReturnType<typeof Type.Integer> }),
  )

/** Serializes a response. `data` is JSON; the timestamp is always the current time. */
export const answer = (workspace: Workspace, message: string, data: string): string =>
  `{"success":true,"data":${data},"message":${JSON.stringify(message)},"timestamp":"${iso(workspace.now())}"}`

/** Returns {name: [...], total} as JSON text, the newest records first. */
export const listData = <Row, Filter extends string>(
  name: string,
  list: NumberedList<'created_at', Filter>,
  rendering: Rendering<Row>,
  workspace: Workspace,
  { lim, off }: { readonly lim: number; readonly off: number },
  filters: Filters<Filter>,
): string => {
  const page = { sort: 'created_at', order: 'desc', limit: lim, offset: off, filters } as const
  const { rows, total } = list.read(workspace, page, rendering.select)
  return `{"${name}":[${rendering.join(workspace, rows)}],"total":${String(total)}}`
}
