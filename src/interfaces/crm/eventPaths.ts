/**
 * The paths that conditions of automations may name: those into the records that an event is about, as they are answered.
 * What lies in free data cannot be known before it is there. Assumed: the specification shows deal.value alone.
 */
import { Type, type TSchema } from '@sinclair/typebox'
import type { CrmEventName } from '../../state/crm/events.ts'
import { pathInRecord } from '../../state/crm/conditions.ts'
import { payloadOf } from './events.ts'
import { Contact } from './schemas/contacts.ts'
import { Deal, Owner } from './schemas/deals.ts'

interface Node extends TSchema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Node>>
  readonly items?: Node
  readonly anyOf?: readonly Node[]
}

const OwnerWithEmail = Type.Object({ ...Owner.properties, email: Type.String() })
const DealSeen = Type.Object({ ...Deal.properties, owner: OwnerWithEmail })

/** What conditions see beside what an event tells. */
function seenBeside(event: CrmEventName): Record<string, TSchema> {
  if (event.endsWith('.deleted') || event === 'automation.executed') return {}
  return event.startsWith('contact.') ? {} : { deal: DealSeen, contact: Contact }
}

const seenBy = (event: CrmEventName): Node =>
  Type.Object({ ...(payloadOf(event) as Node).properties, ...seenBeside(event) })

/** Whether the path may lead to a value when the event happens, from the event or from its main record. */
export const mayHave = (event: CrmEventName, path: string): boolean =>
  [path, pathInRecord(event, path)].some((each) => leadsOn(seenBy(event), each.split('.')))

function leadsOn(node: Node | undefined, [name, ...rest]: readonly string[]): boolean {
  if (!node) return false
  if (name === undefined) return true
  if (node.anyOf) return node.anyOf.some((each) => leadsOn(each, [name, ...rest]))
  const types = [node.type ?? 'any'].flat()
  if (types.includes('any')) return true
  if (types.includes('array')) return /^\d+$/.test(name) && leadsOn(node.items, rest)
  if (!types.includes('object')) return false
  if (!node.properties) return true
  if (Object.hasOwn(node.properties, name)) return leadsOn(node.properties[name], rest)
  // deal.owner_id is the id of deal.owner.
  const record = /^(.+)_id$/.exec(name)?.[1]
  if (record === undefined || rest.length > 0 || !Object.hasOwn(node.properties, record)) return false
  return leadsOn(node.properties[record], ['id'])
}

/** What a path may begin with, and one that ends as this one does, where there is such. */
export function instead(event: CrmEventName, path: string): string {
  const { properties = {} } = seenBy(event)
  const roots = Object.keys(properties)
  const likely = roots.find((root) => mayHave(event, `${root}.${path}`))
  return `${roots.join(', ')}${likely === undefined ? '' : `; ${likely}.${path} is there`}`
}
