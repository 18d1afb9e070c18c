/** The names of the commands, available without loading the commands. */

/** The commands besides serve, healthcheck and openapi. Their flags are loaded only if one of them is used. */
export const NAMES = [
  'listen',
  'trigger',
  'reach',
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
  'report',
  'exam',
  'verify',
  'mutate',
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
  faults: ['list', 'add', 'release', 'delete', 'clear'],
  deliveries: ['list', 'redeliver'],
  record: ['start', 'stop', 'list', 'delete'],
  readings: ['list', 'set'],
  verify: ['run', 'cleanup'],
}

/** The variables of their options. */
export const VARIABLES = [
  'SIM_URL',
  'SIM_SHARDS',
  'SIM_WORKSPACE',
  'SIM_VERIFY_BASE_URL',
  'SIM_VERIFY_KEY',
] as const
