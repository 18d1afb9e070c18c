/** Passes. */
import { correct, start } from './shared.mjs'

await start(correct)
