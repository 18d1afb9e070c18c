/**
 * The paths that conditions of automations may use: they lead into the records of an event, as responses show them.
 * Paths into free data are not checked. Assumed, because the specification shows only deal.value.
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

/** True if the path can have a value when the event happens, from the event or from its main record. */
export const canHavePath = (event: CrmEventName, path: string): boolean =>
  [path, pathInRecord(event, path)].some((each) => canReach(schemaOf(event), each.split('.')))

function canReach(node: Node | undefined, [name, ...rest]: readonly string[]): boolean {
  if (!node) return false
  if (name === undefined) return true
  if (node.anyOf) return node.anyOf.some((each) => canReach(each, [name, ...rest]))
  const types = [node.type ?? 'any'].flat()
  if (types.includes('any')) return true
  if (types.includes('array')) return /^\d+$/.test(name) && canReach(node.items, rest)
  if (!types.includes('object')) return false
  if (!node.properties) return true
  if (Object.hasOwn(node.properties, name)) return canReach(node.properties[name], rest)
  // deal.owner_id is the id of deal.owner.
  const record = /^(.+)_id$/.exec(name)?.[1]
  if (record === undefined || rest.length > 0 || !Object.hasOwn(node.properties, record)) return false
  return canReach(node.properties[record], ['id'])
}

/** Lists the names that a path can begin with, and suggests a path that ends like this one if one exists. */
export function possibleRoots(event: CrmEventName, path: string): string {
  const { properties = {} } = schemaOf(event)
  const roots = Object.keys(properties)
  const likely = roots.find((root) => canHavePath(event, `${root}.${path}`))
  return `${roots.join(', ')}${likely === undefined ? '' : `; did you mean ${likely}.${path}?`}`
}
