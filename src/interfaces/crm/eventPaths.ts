/**
 * The paths that conditions and placeholders of automations may use: they lead into the records of an event, as responses
 * show them. Paths into free data are not checked. Assumed, because the specification shows only deal.value.
 */
import { Type, type TSchema } from '@sinclair/typebox'
import type { CrmEventName } from '../../state/crm/eventNames.ts'
import { pathInRecord } from '../../state/crm/automations/conditions.ts'
import { events } from './events.ts'
import * as payloads from './payloads.ts'
import { Contact } from './shapes/contacts.ts'
import { Deal, Owner } from './shapes/deals.ts'

interface Node extends TSchema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Node>>
  readonly items?: Node
  readonly anyOf?: readonly Node[]
}

const OwnerWithEmail = Type.Object({ ...Owner.properties, email: Type.String() })
const DealWithOwnerEmail = Type.Object({ ...Deal.properties, owner: OwnerWithEmail })

/** Returns the records that conditions can read in addition to the event data. */
function extraRecordsOf(event: CrmEventName): Record<string, TSchema> {
  if (event.endsWith('.deleted') || event === 'automation.executed') return {}
  return event.startsWith('contact.') ? {} : { deal: DealWithOwnerEmail, contact: Contact.item }
}

const schemaOf = (event: CrmEventName): Node =>
  Type.Object({ ...payloads[events[event].payload].properties, ...extraRecordsOf(event) })

/** True if the path can have a value when the event happens. */
export const isPathOf = (event: CrmEventName, path: string): boolean =>
  reached(event, path.split('.')).length > 0

/** True if the path of a condition can have a value, from the event or from its main record. */
export const canHavePath = (event: CrmEventName, path: string): boolean =>
  isPathOf(event, path) || isPathOf(event, pathInRecord(event, path))

/** Returns the schemas that the names lead to; none if there is no such path. */
const reached = (event: CrmEventName, names: readonly string[]): readonly Node[] =>
  names.reduce<readonly Node[]>(
    (nodes, name) => nodes.flatMap((node) => [...partsNamed(node, name)]),
    [schemaOf(event)],
  )

const ANYTHING: Node = Type.Unknown()

/** Yields the schemas of the parts of a value with this name. */
function* partsNamed(node: Node, name: string): Generator<Node> {
  if (node.anyOf) {
    for (const each of node.anyOf) yield* partsNamed(each, name)
    return
  }
  const types = [node.type ?? 'any'].flat()
  if (types.includes('any')) yield ANYTHING
  else if (types.includes('array')) {
    if (/^\d+$/.test(name) && node.items) yield node.items
  } else if (types.includes('object')) yield* fieldsNamed(node, name)
}

function* fieldsNamed({ properties }: Node, name: string): Generator<Node> {
  if (!properties) {
    yield ANYTHING
    return
  }
  const own = Object.hasOwn(properties, name) ? properties[name] : undefined
  if (own) {
    yield own
    return
  }
  // deal.owner_id is the id of deal.owner.
  const record = /^(.+)_id$/.exec(name)?.[1]
  const owner = record !== undefined && Object.hasOwn(properties, record) ? properties[record] : undefined
  if (owner) yield* partsNamed(owner, 'id')
}

/** Lists the paths that exist near a path that does not: the parts of its record, or what paths can begin with. */
export function existingPaths(event: CrmEventName, path: string): string {
  const names = path.split('.')
  const known = names.findIndex((_name, index) => reached(event, names.slice(0, index + 1)).length === 0)
  if (known <= 0) return `paths begin with ${possibleRoots(event, path)}`
  const record = names.slice(0, known)
  const parts = reached(event, record).flatMap((node) => [node, ...(node.anyOf ?? [])])
  const found = parts.flatMap(({ properties = {} }) => Object.keys(properties))
  const outer = record.join('.')
  return found.length === 0 ? `${outer} has no parts` : `${outer} has ${found.join(', ')}`
}

/** Lists the names that a path can begin with, and suggests a path that ends like this one if one exists. */
function possibleRoots(event: CrmEventName, path: string): string {
  const { properties = {} } = schemaOf(event)
  const roots = Object.keys(properties)
  const likely = roots.find((root) => isPathOf(event, `${root}.${path}`))
  return `${roots.join(', ')}${likely === undefined ? '' : `; did you mean ${likely}.${path}?`}`
}
