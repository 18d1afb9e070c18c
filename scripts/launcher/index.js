/** What a test suite imports; described in index.d.ts. */
export { startSimulator } from './suite-sim.cjs'
