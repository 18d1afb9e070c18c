/** The names of the commands, available without loading the commands. */

/** Commands that do not need a running server. */
export const OWN_COMMANDS = ['serve', 'healthcheck', 'openapi'] as const

/** Commands that call a server. Their flags are loaded only if one of them is used. */
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
  'diff',
  'record',
  'replay',
  'can-i-upgrade',
  'readings',
  'coverage',
  'exam',
  'verify',
  'backup',
  'restore',
  'doctor',
  'completion',
  'mcp',
  'grade',
] as const

/** The commands that have subcommands. */
export const GROUPS: Readonly<Record<string, readonly string[]>> = {
  workspace: ['list', 'create', 'show', 'delete'],
  snapshot: ['list', 'save', 'load'],
  clock: ['show', 'set', 'advance', 'freeze', 'resume'],
  requests: ['list', 'show', 'clear'],
  emails: ['list', 'show', 'attachment'],
  records: ['list', 'show'],
  faults: ['list', 'add', 'delete', 'clear'],
  deliveries: ['list', 'redeliver'],
  record: ['start', 'stop', 'list', 'delete'],
  readings: ['list', 'set'],
  verify: ['run', 'cleanup'],
}

export const COMMANDS: readonly string[] = [...OWN_COMMANDS, ...STEERING_COMMANDS]

/** True if the arguments may contain a steering command, or ask for help, which lists all commands. */
export const needsSteering = (args: readonly string[]): boolean =>
  args.some((word) => STEERING.has(word) || ['--help', '-h'].includes(word)) || args[0] === 'help'

const STEERING: ReadonlySet<string> = new Set(STEERING_COMMANDS)
