/**
 * What machines say against what happens: every change of a state is a move, every move happens, and the event that it
 * names is appended with it. Seen in a run of everything that can be done (everything.ts), by triggers of SQLite that
 * write down each change and each event in their order.
 */
import { getTableColumns, getTableName } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import type { Machine } from '../../src/state/machine.ts'
import type { FreshApp } from '../support/app.ts'
import { INTERFACES } from '../support/subject.ts'
import { doEverything, furnishedDemo, publishedEvents } from './everything.ts'

/** A column that holds the states of a machine. */
interface Watched {
  readonly machine: Machine
  readonly table: string
  readonly column: string
}

const WATCHED: readonly Watched[] = INTERFACES.flatMap(({ machines, records }) =>
  machines.map((machine) => {
    const found = records.flatMap(({ table }) =>
      Object.values(getTableColumns(table))
        .filter(({ enumValues }) => JSON.stringify(enumValues) === JSON.stringify(machine.states))
        .map((column) => ({ machine, table: getTableName(table), column: column.name })),
    )
    const [watched] = found
    if (!watched || found.length > 1) throw new Error(`${machine.name} is not of one column`)
    return watched
  }),
)

/** What was written down: a change of a state, or an event. */
interface Entry {
  /** The table, or the interface. */
  readonly of: string
  /** null for a record that was made. */
  readonly before: string | null
  /** The state, or the name of the event. */
  readonly after: string
  readonly is: 'state' | 'event'
}

function watch({ app, workspace }: FreshApp): () => Entry[] {
  const { sqlite } = app.workspaces.database
  const number = String(workspace.number)
  const keep = (of: string, before: string, after: string, is: string): string =>
    `BEGIN INSERT INTO seen ("of", "before", "after", "is") VALUES (${of}, ${before}, ${after}, '${is}'); END;`
  sqlite.exec('CREATE TEMP TABLE seen ("of", "before", "after", "is")')
  for (const { table, column } of WATCHED) {
    sqlite.exec(`
      CREATE TEMP TRIGGER ${table}_moved AFTER UPDATE OF ${column} ON main.${table} WHEN new.workspace = ${number}
        ${keep(`'${table}'`, `old.${column}`, `new.${column}`, 'state')}
      CREATE TEMP TRIGGER ${table}_made AFTER INSERT ON main.${table} WHEN new.workspace = ${number}
        ${keep(`'${table}'`, 'NULL', `new.${column}`, 'state')}`)
  }
  sqlite.exec(`
    CREATE TEMP TRIGGER events_appended AFTER INSERT ON main.events WHEN new.workspace = ${number}
      ${keep('new.interface', 'NULL', 'new.name', 'event')}`)
  const all = sqlite.prepare('SELECT * FROM seen ORDER BY rowid')
  return () => {
    const entries = all.all() as Entry[]
    sqlite.exec('DELETE FROM seen')
    return entries
  }
}

const EVENTS = publishedEvents()

const movesOf = ({ moves }: Machine): [string, Machine['moves'][string]][] => Object.entries(moves)

/** "payments.link pay", of every move that was seen; "payments payment.completed", of every event. */
const moved = new Set<string>()
const appended = new Set<string>()
const problems = new Set<string>()

/** Looks at what one call has done. */
function judge(title: string, entries: readonly Entry[]): void {
  const events = entries.filter((entry) => entry.is === 'event')
  for (const { of, after } of events) {
    appended.add(`${of} ${after}`)
    if (!EVENTS.get(of)?.includes(after))
      problems.add(`${title} appended ${after}, which ${of} does not publish`)
  }
  for (const { machine, table } of WATCHED) {
    const [interfaceName = ''] = machine.name.split('.')
    const names = events.filter(({ of }) => of === interfaceName).map(({ after }) => after)
    for (const { before, after } of entries.filter(({ is, of }) => is === 'state' && of === table)) {
      if (before === null) {
        if (!machine.initial.includes(after)) problems.add(`${title} made a ${machine.name} that is ${after}`)
        continue
      }
      const fitting = movesOf(machine).filter(([, { from, to }]) => from.includes(before) && to === after)
      const told = fitting.filter(
        ([, { emits, orEmits }]) =>
          emits === undefined ||
          [emits, orEmits].some((event) => event !== undefined && names.includes(event)),
      )
      for (const [name] of told) moved.add(`${machine.name} ${name}`)
      // A record may be written to and stay in its state.
      if (told.length > 0 || before === after) continue
      const move = `${machine.name} from ${before} to ${after}`
      problems.add(
        fitting.length === 0
          ? `${title} moved ${move}, which no move does`
          : `${title} moved ${move} and appended ${names.join(', ') || 'nothing'}`,
      )
    }
  }
}

beforeAll(async () => {
  const fresh = await furnishedDemo()
  const entries = watch(fresh)
  await doEverything(fresh, ({ title }, { status, text }) => {
    if (status >= 500) problems.add(`${title} answered ${text}`)
    judge(title, entries())
  })
})

test('no state changes but by a move, and each appends the event that it names', () => {
  expect([...problems]).toEqual([])
})

test.each(
  WATCHED.flatMap(({ machine }) => movesOf(machine).map(([move]) => [`${machine.name} ${move}`] as const)),
)('the move %s happens', (move) => {
  expect([...moved]).toContain(move)
})

test.each([...EVENTS].flatMap(([name, events]) => events.map((event) => [`${name} ${event}`] as const)))(
  'the event %s happens',
  (event) => {
    expect([...appended]).toContain(event)
  },
)

test.each(
  INTERFACES.flatMap(({ name, machines }) =>
    machines.map((machine) => [machine.name, name, machine] as const),
  ),
)('what %s emits is published', (_title, name, machine) => {
  expect(machine.name.startsWith(`${name}.`)).toBe(true)
  for (const [move, { emits }] of movesOf(machine)) {
    if (emits !== undefined) expect(EVENTS.get(name), move).toContain(emits)
  }
})
