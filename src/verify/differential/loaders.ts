/** How the answers of an interface become records of a snapshot, by interface. */
import type { InterfaceName } from '../../state/model/interfaceNames.ts'
import type { Readings } from '../walk/readings.ts'

export interface Loaded {
  /** The sections of the interface in a snapshot; `files` are those of the workspace. */
  readonly sections: Readonly<Record<string, readonly unknown[]>>
  readonly users?: readonly { readonly id: string; readonly name: string; readonly email: string }[]
  /** Whether all records were read, so that lists and reports can be compared, too. */
  readonly isComplete: boolean
  /** Places that follow from something that no call shows: "getRevenueReport.data.total_fees"; `*` at the end is the rest. */
  readonly unknown?: readonly string[]
}

export type Loader = (readings: Readings) => Loaded | null

export const LOADERS: Readonly<Partial<Record<InterfaceName, Loader>>> = {}
