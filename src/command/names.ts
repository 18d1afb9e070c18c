/** The commands by their names, known without what they do. */

/** What runs without a server that is there. */
export const OWN_COMMANDS = ['serve', 'healthcheck', 'openapi'] as const

/** What is evaluated only when one of it is called (steering.ts). */
export const STEERING_COMMANDS = [
  'listen',
  'trigger',
  'workspace',
  'snapshot',
  'clock',
  'coverage',
  'doctor',
  'completion',
  'mcp',
] as const

/** The commands that have commands of their own. */
export const GROUPS: Readonly<Record<string, readonly string[]>> = {
  workspace: ['list', 'create', 'show', 'delete'],
  snapshot: ['list', 'save', 'load'],
  clock: ['show', 'advance', 'freeze', 'resume'],
}

export const COMMANDS: readonly string[] = [...OWN_COMMANDS, ...STEERING_COMMANDS]

/** Whether what was written calls for the steering commands, or for help, which names them all. */
export const needsSteering = ([first = '']: readonly string[]): boolean =>
  (STEERING_COMMANDS as readonly string[]).includes(first) || ['help', '--help', '-h'].includes(first)
