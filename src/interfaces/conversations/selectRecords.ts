/** Scans records in slices, so that other requests run in between. */
import { nearestName } from '@suite-sim/kit/text/nearestName'
import { addHint } from '../../state/timeline/causes.ts'
import { Slices } from '../../state/model/slices.ts'
import { createFilter, type Calendar, type FilterCondition, type Keys } from './filters.ts'

/** Returns the results of `keep` for the records that `isWanted` accepts, in their order. */
export async function selectInSlices<Row, Kept>(
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

/** Returns the results of `keep` for the records that meet the conditions. Adds a hint for custom attributes that no record has. */
export async function selectByConditions<Row extends WithAttributes, Kept>(
  walk: () => Iterable<readonly Row[]>,
  conditions: readonly FilterCondition[],
  keys: Keys<Row>,
  calendar: Calendar,
  keep: (row: Row) => Kept,
): Promise<Kept[]> {
  const names = new Set(conditions.map((condition) => condition.attribute_key))
  const unseen = [...names].filter((name) => !Object.hasOwn(keys, name))
  const attributesOf = ({ customAttributes }: Row) => customAttributes
  const meets = createFilter(conditions, keys, attributesOf, calendar)
  const found = await selectInSlices(
    walk(),
    (row) => {
      // Cheap: the list is soon empty, because an attribute leaves it when the first record has it.
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
