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
  'requests',
  'emails',
  'records',
  'faults',
  'deliveries',
  'coverage',
  'doctor',
  'completion',
  'mcp',
] as const

/** The commands that have commands of their own. */
export const GROUPS: Readonly<Record<string, readonly string[]>> = {
  workspace: ['list', 'create', 'show', 'delete'],
  snapshot: ['list', 'save', 'load'],
  clock: ['show', 'set', 'advance', 'freeze', 'resume'],
  requests: ['list', 'show', 'clear'],
  emails: ['list', 'show', 'attachment'],
  records: ['list', 'show'],
  faults: ['list', 'add', 'delete', 'clear'],
  deliveries: ['list', 'redeliver'],
}

export const COMMANDS: readonly string[] = [...OWN_COMMANDS, ...STEERING_COMMANDS]

/** Whether what was written may call for the steering commands, or for help, which names them all. */
export const needsSteering = (args: readonly string[]): boolean =>
  args.some((word) => STEERING.has(word) || ['--help', '-h'].includes(word)) || args[0] === 'help'

const STEERING: ReadonlySet<string> = new Set(STEERING_COMMANDS)
