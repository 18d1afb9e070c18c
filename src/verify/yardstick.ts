/** The simulator that a service is measured by. */
import type { Calibration } from './calibration.ts'
import type { Reference, StartServer } from './reference.ts'

/** A reference, and what its own demo shows. It serves several runs. */
export interface Yardstick {
  readonly reference: Reference
  readonly calibration: Calibration
  /** Starts further simulators, to try other readings. */
  readonly start: StartServer
}
