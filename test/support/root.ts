/** Where the checkout is. What is bundled with this file (scripts/bundled.mjs) is told where it stood. */
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
