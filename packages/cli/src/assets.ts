/** Files that are next to the program. */
import { fileURLToPath } from 'node:url'

export const FIXTURES: string = fileURLToPath(new URL('../fixtures', import.meta.url))

/** The tasks for agents. */
export const TASKS: string = fileURLToPath(new URL('../tasks', import.meta.url))
