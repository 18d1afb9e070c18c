/** Compares the records at the end of two runs. */
import type { Schema } from '@suite-sim/client/calling'
import { counted } from '@suite-sim/kit/text/counted'
import { groupBy } from './calls.ts'

export type ChangedRecord = Schema<'ChangedRecord'>

export interface Comparison {
  /** Records that exist once more than in the undisturbed run. */
  readonly twice: readonly ChangedRecord[]
  /** Records of the undisturbed run that this one does not have. */
  readonly missing: readonly ChangedRecord[]
}

/** Compares by section and values. Ids, times and what contains them differ between runs, so that they do not count. */
export function compare(expected: readonly ChangedRecord[], found: readonly ChangedRecord[]): Comparison {
  const twice: ChangedRecord[] = []
  const missing: ChangedRecord[] = []
  const [before, after] = [groupBy(expected, sectionOf), groupBy(found, sectionOf)]
  for (const section of new Set([...before.keys(), ...after.keys()])) {
    const [wanted, had] = [before.get(section) ?? [], after.get(section) ?? []]
    const wantedBy = groupBy(wanted, valuesOf)
    const hadBy = groupBy(had, valuesOf)
    // More with equal values than in the undisturbed run: certainly twice.
    const repeated = [...hadBy].flatMap(([values, records]) => {
      const count = wantedBy.get(values)?.length ?? 0
      return count > 0 ? records.slice(count) : records.slice(1)
    })
    // A client may choose values anew in each run: what has no equal counts by its number.
    const others = [...hadBy].flatMap(([values, records]) =>
      wantedBy.has(values) ? [] : records.slice(0, 1),
    )
    const absent = [...wantedBy].flatMap(([values, records]) => records.slice(hadBy.get(values)?.length ?? 0))
    twice.push(...repeated, ...others.slice(absent.length))
    missing.push(...absent.slice(others.length))
  }
  return { twice, missing }
}

const sectionOf = ({ section, change }: ChangedRecord): string => `${section} ${change}`

/** A record that existed before is the same in both runs, with any new values. */
const valuesOf = ({ id, change, fields }: ChangedRecord): string =>
  change === 'added'
    ? JSON.stringify(
        fields
          .filter(({ volatile, volatileParts }) => volatile !== true && !volatileParts)
          .map(({ path, after }) => [path, after]),
      )
    : id

/** Describes records by section: "2 records of crm.deals exist twice". */
export function describe({ twice, missing }: Comparison): string[] {
  return [
    ...sentences(twice, (one) => (one ? 'exists twice' : 'exist twice')),
    ...sentences(missing, (one) => (one ? 'is missing at the end' : 'are missing at the end')),
  ]
}

const sentences = (records: readonly ChangedRecord[], verb: (isOne: boolean) => string): string[] =>
  [
    ...groupBy(
      records,
      ({ section, change }) => `${change === 'added' ? 'record' : `${change} record`} of ${section}`,
    ),
  ].map(([what, { length }]) => {
    const [noun = '', ...rest] = what.split(' of ')
    return `${counted(length, noun)} of ${rest.join(' of ')} ${verb(length === 1)}`
  })

/** The ids of the calls that wrote records. */
export const callsOf = (records: readonly ChangedRecord[]): Set<string> =>
  new Set(
    records.flatMap(({ causes }) => causes.filter(({ kind }) => kind === 'request').map(({ id }) => id)),
  )
