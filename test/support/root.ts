/** The root folder of the checkout. Bundles (scripts/bundled.mjs) contain the original location of this file. */
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
