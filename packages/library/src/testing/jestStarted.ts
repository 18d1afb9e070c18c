/** The simulator of a Jest run, which the setup starts and the teardown stops: two modules of the same process. */
import type { Simulator } from '../index.ts'

const NAME = Symbol.for('suite-simulator.jest')

type Holder = Record<symbol, Simulator | undefined>

export function setStarted(simulator: Simulator): void {
  ;(globalThis as unknown as Holder)[NAME] = simulator
}

export const started = (): Simulator | undefined => (globalThis as unknown as Holder)[NAME]
