/** What a test suite imports; described in index.d.ts. */
import { load } from './load.js'

export const { startSimulator } = load().exports
