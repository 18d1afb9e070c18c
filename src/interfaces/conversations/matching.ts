/** Looks at records some at a time, and lets others have their turn. */
import { nearestName } from '../../http/nearestName.ts'
import { addHint } from '../../state/causes.ts'
import { Slices } from '../../state/slices.ts'
import { filterOf, type Calendar, type Condition, type Keys } from './filters.ts'

/** What `keep` makes of those that are wanted, in their order. */
export async function matching<Row, Kept>(
  batches: Iterable<readonly Row[]>,
  isWanted: (row: Row) => boolean,
  keep: (row: Row) => Kept,
): Promise<Kept[]> {
  const slices = new Slices()
  const found: Kept[] = []
  for (const rows of batches) {
    for (const row of rows) if (isWanted(row)) found.push(keep(row))
    if (slices.isOver) await slices.turn()
  }
  return found
}

interface WithAttributes {
  readonly customAttributes: Readonly<Record<string, unknown>>
}

/** The same of those that meet the conditions; `walk` goes through all there are. */
export async function meeting<Row extends WithAttributes, Kept>(
  walk: () => Iterable<readonly Row[]>,
  conditions: readonly Condition[],
  keys: Keys<Row>,
  calendar: Calendar,
  keep: (row: Row) => Kept,
): Promise<Kept[]> {
  const names = new Set(conditions.map((condition) => condition.attribute_key))
  const unseen = [...names].filter((name) => !Object.hasOwn(keys, name))
  const attributesOf = ({ customAttributes }: Row) => customAttributes
  const meets = filterOf(conditions, keys, attributesOf, calendar)
  const found = await matching(
    walk(),
    (row) => {
      // Few are left after some records, and none where the filter names keys alone.
      for (let place = unseen.length - 1; place >= 0; place--) {
        if (Object.hasOwn(row.customAttributes, unseen[place] ?? '')) unseen.splice(place, 1)
      }
      return meets(row)
    },
    keep,
  )
  for (const name of unseen) hintAtUnknown(name, Object.keys(keys))
  return found
}

function hintAtUnknown(name: string, keys: readonly string[]): void {
  const near = nearestName(name, keys)
  const instead = near === null ? `Other keys are ${keys.join(', ')}.` : `Did you mean ${near}?`
  addHint('unknown_attribute', `No record has the custom attribute ${name}. ${instead}`)
}
