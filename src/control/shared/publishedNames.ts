/** Refuses names of events and operations that no interface has, because such a filter or fault matches nothing. */
import { nearestName } from '@suite-sim/kit/text/nearestName'
import { refuseField, type Reason } from '../../state/model/refusal.ts'
import type { ControlContext } from './context.ts'

/** A name in a request, if it has one: where it is, and the interface that the request is limited to. */
interface WrittenName {
  /** The query parameter or the field: "event". */
  readonly field: string
  readonly name: string | undefined
  readonly interface: string | undefined
  readonly reason: Reason
}

/** Refuses a name that is no event of the interface, or of any interface. */
export async function mustBeEvent({ interfaces }: ControlContext, written: WrittenName): Promise<void> {
  if (written.name === undefined) return
  const all = await Promise.all(
    interfaces.map(async (each) => ({
      of: each.name,
      names: ((await each.load()).events ?? []).map((event) => event.name),
    })),
  )
  mustBeOneOf(written, written.name, 'event', all)
}

/** Refuses a name that is no operation of the interface, or of any interface. */
export async function mustBeOperation(context: ControlContext, written: WrittenName): Promise<void> {
  const wanted = written.name
  if (wanted === undefined) return
  const all: Owner[] = []
  // The interface of the filter first: usually no other has to be built.
  const isFirst = ({ name }: { readonly name: string }): number => (name === written.interface ? 0 : 1)
  for (const { name } of context.interfaces.toSorted((one, other) => isFirst(one) - isFirst(other))) {
    const { routes } = await context.published(name)
    const names = routes.map(({ operation }) => operation.id)
    if (names.includes(wanted) && (written.interface ?? name) === name) return
    all.push({ of: name, names })
  }
  mustBeOneOf(written, wanted, 'operation', all)
}

/** Maximum characters of a name that an error quotes. */
const MAX_QUOTED = 100

interface Owner {
  readonly of: string
  readonly names: readonly string[]
}

function mustBeOneOf(
  { field, interface: of, reason }: WrittenName,
  name: string,
  kind: string,
  all: readonly Owner[],
): void {
  const candidates = all.filter((each) => (of ?? each.of) === each.of)
  if (candidates.some(({ names }) => names.includes(name))) return
  const owners = all.filter(({ names }) => names.includes(name)).map((each) => each.of)
  const nearest = nearestName(
    name,
    candidates.flatMap(({ names }) => names),
  )
  const advice =
    owners.length > 0
      ? `${name} is one of ${owners.join(' and ')}`
      : nearest === null
        ? 'GET /_sim/workspaces/{id}/coverage lists them'
        : `did you mean ${nearest}?`
  const rule = `must be the name of an ${kind}${of === undefined ? '' : ` of ${of}`}`
  const message = `${field} ${rule}, not ${JSON.stringify(name.slice(0, MAX_QUOTED))}; ${advice}`
  refuseField(field, 'unknown', message, reason)
}
