/** Fails "burst": it takes twenty connections and drops the others. */
import { correct, start } from './shared.mjs'

start({ ...correct, maxConnections: 20 })
