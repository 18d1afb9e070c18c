/** What every answer stands in: {success, data, message, timestamp}. Specification part 2, "Envelope". */
import { Type, type TSchema } from '@sinclair/typebox'
import type { Rendered, Rendering } from '../../http/renderings.ts'
import { everyCallerIn, cachedResponse } from '../../http/responseCache.ts'
import { Assumed, Instant, named } from '../../http/schemas.ts'
import { iso } from '../../state/clock.ts'
import type { Filters, NumberedList } from '../../state/listing.ts'
import type { Workspace } from '../../state/workspace.ts'

const Message = named(
  'Message',
  Assumed('The words are not shown: a short sentence.', Type.String({ examples: ['Payment links found'] })),
)

const Timestamp = named(
  'Timestamp',
  Assumed(
    'Of what it is the time is not shown: of the answer, on the clock of the workspace.',
    Instant({ description: 'When it was answered.' }),
  ),
)

/** The shape of an answer with this data. */
export const Answer = <Schema extends TSchema>(data: Schema) =>
  Type.Object({ success: Type.Literal(true), data, message: Message, timestamp: Timestamp })

/** The shape of an answer whose data is one record under its name. */
export const One = <Name extends string, Schema extends TSchema>(name: Name, record: Schema) =>
  Answer(Type.Object({ [name]: record } as Record<Name, Schema>))

/** The shape of an answer whose data is a page of a list under its name. */
export const ListOf = <Name extends string, Schema extends TSchema>(name: Name, record: Schema) =>
  Answer(
    Type.Object({
      [name]: Type.Array(record),
      total: Type.Integer({ minimum: 0, description: 'How many there are on all pages (assumed).' }),
    } as Record<Name, ReturnType<typeof Type.Array<Schema>>> & { total: ReturnType<typeof Type.Integer> }),
  )

/** An answer as JSON text. `data` is JSON; it may be remembered, while the timestamp is that of this moment. */
export const answer = (workspace: Workspace, message: string, data: string): string =>
  `{"success":true,"data":${data},"message":${JSON.stringify(message)},"timestamp":"${iso(workspace.now())}"}`

/** Which page of a list is asked for: at most `lim` records after the first `off`. */
const LARGEST_OFFSET = 1_000_000_000

export const pageQuery = {
  lim: Type.Integer({ minimum: 1, maximum: 100, default: 10 }),
  off: Type.Integer({ minimum: 0, maximum: LARGEST_OFFSET, default: 0 }),
}

const sameAsLinks =
  'The limits are shown for payment links alone: default 10, at most 100, from the first record on.'

/** The same where the specification names the parameters and no limits. */
export const assumedPageQuery = {
  lim: Assumed(sameAsLinks, pageQuery.lim),
  off: Assumed(sameAsLinks, pageQuery.off),
}

/** {name: [...], total} as JSON text, the newest first. */
export const listData = <Row extends Rendered, Filter extends string>(
  name: string,
  list: NumberedList<'created_at', Filter>,
  rendering: Rendering<Row>,
  workspace: Workspace,
  { lim, off }: { readonly lim: number; readonly off: number },
  filters: Filters<Filter>,
): string =>
  cachedResponse(
    everyCallerIn(workspace),
    JSON.stringify(['integration-payments', name, lim, off, filters]),
    () => {
      const page = { sort: 'created_at', order: 'desc', limit: lim, offset: off } as const
      const { heads, total } = list(workspace, { ...page, filters })
      return `{"${name}":[${rendering.many(workspace, heads)}],"total":${String(total)}}`
    },
  )
