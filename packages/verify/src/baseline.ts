/** The simulator that a service is compared with. */
import type { Overlay } from '../../../src/published.ts'
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import type { Calibration } from './calibration.ts'
import type { Reference, StartServer } from './reference.ts'

/** A reference, and what its own demo shows. It serves several runs. */
export interface Baseline {
  readonly reference: Reference
  readonly calibration: Calibration
  /** The overlay that the reference follows. */
  readonly observed: Overlay | undefined
  /** Starts further simulators that follow the same overlay, to try other readings. */
  readonly start: StartServer
  /** Starts a simulator that follows another overlay, and stops it. Throws its ObservedError. */
  readonly mustStart: (observed: Overlay) => Promise<void>
  /** Returns a baseline of one interface that follows another overlay. */
  readonly following: (observed: Overlay, name: InterfaceName) => Promise<Baseline>
}
