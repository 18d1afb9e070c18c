/**
 * Compares the state machines with all changes in a full run (everything.ts): every change of a state is a move,
 * every move occurs, and its event is appended. SQLite triggers record each change and each event in order.
 */
import { getTableColumns, getTableName } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import type { Machine } from '../../src/state/model/machine.ts'
import type { FreshApp } from '../support/app.ts'
import { INTERFACES } from '../support/subject.ts'
import { describeExchange, type Exchange } from '../support/examples.ts'
import { runEachFirst } from './eachFirst.ts'
import { runAllActions, demoWorkspace, publishedEvents, type Action } from './allActions.ts'

/** A column that holds the states of a machine. */
interface Watched {
  readonly machine: Machine
  readonly table: string
  readonly column: string
  /** Whether the records have the time of their last change. */
  readonly isTimed: boolean
}

const WATCHED: readonly Watched[] = INTERFACES.flatMap(({ machines, records }) =>
  machines.map((machine) => {
    const found = records.flatMap(({ table }) =>
      Object.values(getTableColumns(table))
        .filter(({ enumValues }) => JSON.stringify(enumValues) === JSON.stringify(machine.states))
        .map((column) => ({
          machine,
          table: getTableName(table),
          column: column.name,
          isTimed: 'updatedAt' in getTableColumns(table),
        })),
    )
    const [watched] = found
    if (!watched || found.length > 1) throw new Error(`${machine.name} is not of one column`)
    return watched
  }),
)

/** A recorded change of a state, or an event. */
interface Entry {
  /** The table or the interface. */
  readonly of: string
  /** null for a new record. */
  readonly before: string | null
  /** The state or the name of the event. */
  readonly after: string
  /** `untimed` is a change of a state that keeps the time of the last change. */
  readonly is: 'state' | 'event' | 'untimed'
}

function watch({ app, workspace }: FreshApp): () => Entry[] {
  const { sqlite } = app.workspaces.database
  const number = String(workspace.rowScope)
  const keep = (of: string, before: string, after: string, is: string): string =>
    `BEGIN INSERT INTO seen ("of", "before", "after", "is") VALUES (${of}, ${before}, ${after}, '${is}'); END;`
  sqlite.exec('DROP TABLE IF EXISTS temp.seen; CREATE TEMP TABLE seen ("of", "before", "after", "is")')
  const names = [
    ...WATCHED.flatMap(({ table }) => [`${table}_moved`, `${table}_made`, `${table}_untimed`]),
    'events_appended',
  ]
  sqlite.exec(names.map((name) => `DROP TRIGGER IF EXISTS temp.${name};`).join('\n'))
  for (const { table, column, isTimed } of WATCHED) {
    if (isTimed)
      sqlite.exec(`
        CREATE TEMP TRIGGER ${table}_untimed AFTER UPDATE OF ${column} ON main.${table}
          WHEN new.workspace = ${number} AND new.${column} <> old.${column} AND new.updated_at = old.updated_at
          ${keep(`'${table}'`, `old.${column}`, `new.${column}`, 'untimed')}`)
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

/** "payments.link pay" for every move seen; "payments payment.completed" for every event. */
const moved = new Set<string>()
const appended = new Set<string>()
const problems = new Set<string>()

/** Checks the changes of one call. */
function judge(title: string, entries: readonly Entry[]): void {
  const events = entries.filter((entry) => entry.is === 'event')
  for (const { of, after } of events) {
    appended.add(`${of} ${after}`)
    if (!EVENTS.get(of)?.includes(after))
      problems.add(`${title} appended ${after}, which ${of} does not publish`)
  }
  // Calls may follow each other within a millisecond, but a clock that moves leaves no such doubt.
  if (title === 'time') {
    for (const { of, before, after } of entries.filter(({ is }) => is === 'untimed'))
      problems.add(`time moved ${of} from ${String(before)} to ${after} and left its updated_at`)
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
      const emitted = fitting.filter(
        ([, { emits, orEmits }]) =>
          emits === undefined ||
          [emits, orEmits].some((event) => event !== undefined && names.includes(event)),
      )
      for (const [name] of emitted) moved.add(`${machine.name} ${name}`)
      // A write may leave a record in its state.
      if (emitted.length > 0 || before === after) continue
      const move = `${machine.name} from ${before} to ${after}`
      problems.add(
        fitting.length === 0
          ? `${title} moved ${move}, which no move does`
          : `${title} moved ${move} and appended ${names.join(', ') || 'nothing'}`,
      )
    }
  }
}

/** One response of each status, by the interface and the title of the action. */
const attempts = new Map<string, Map<string, string>>()

/** Events that are about no single record, with the reason. Webhooks deliver them in no order. */
const WITHOUT_RECORD: Readonly<Record<string, string>> = {}

/** Those that had none: "pos stock.low". */
const withoutRecord = new Set<string>()

function begin(fresh: FreshApp): (action: Action, done: Exchange) => void {
  const entries = watch(fresh)
  fresh.app.workspaces.events.follow((_workspace, { interface: of, name, record }) => {
    if (record === null || record === '') withoutRecord.add(`${of} ${name}`)
  })
  return ({ title, interface: of = '' }, done) => {
    if (done.status >= 500) problems.add(describeExchange(done))
    const ofInterface = attempts.get(of) ?? new Map<string, string>()
    attempts.set(of, ofInterface.set(`${title} ${String(done.status)}`, describeExchange(done)))
    judge(title, entries())
  }
}

const MOVES = WATCHED.flatMap(({ machine }) =>
  movesOf(machine).map(([name, move]) => ({ title: `${machine.name} ${name}`, machine, ...move })),
)

const ownerOf = (title: string): string => /^[\w-]+/.exec(title)?.[0] ?? ''

const missingOf = (name: string): string[] => [
  ...MOVES.filter(({ title }) => ownerOf(title) === name && !moved.has(title)).map(({ by }) => by),
  ...(EVENTS.get(name) ?? []).filter((event) => !appended.has(`${name} ${event}`)),
]

beforeAll(async () => {
  const fresh = await demoWorkspace()
  await runAllActions(fresh, begin(fresh))
  for (const name of EVENTS.keys()) {
    const missing = missingOf(name)
    if (missing.length > 0)
      await runEachFirst(name, missing.join('; '), () => missingOf(name).length > 0, begin)
  }
})

/** The tried actions of an interface: those that `by` names, or all. */
function attemptsBy(name: string, by = ''): string {
  const all = [...(attempts.get(name) ?? [])]
  const named = all.filter(([title]) => {
    const [, words = ''] = /^(?:trigger|[\w-]+) (.*) \d+$/.exec(title) ?? []
    return words !== '' && by.includes(words)
  })
  const lines = (named.length > 0 ? named : all).map(([, words]) => words)
  return ['Tried, and time let pass after it:', ...lines.slice(0, MAX_SHOWN)].join('\n  ')
}

/** The maximum number of calls in a message. */
const MAX_SHOWN = 20

test('changes a state only by a move, and appends the event of the move', () => {
  expect([...problems]).toEqual([])
})

test('appends each event with its record, by which webhooks keep the order', () => {
  expect([...withoutRecord].sort()).toEqual(Object.keys(WITHOUT_RECORD).sort())
})

test.each(MOVES.map((move) => [move.title, move] as const))(
  'makes the move %s',
  (title, { machine, from, to, by }) => {
    if (moved.has(title)) return
    const others = [...moved].filter((each) => each.startsWith(`${machine.name} `))
    expect.fail(
      `${title} (from ${from.join(' or ')} to ${to}, by ${by}) did not happen. Either nothing makes the move, or the ` +
        `published examples and the records of fixtures/small lead to no call that does. Other moves of the machine ` +
        `that happened: ${others.join(', ') || 'none'}. ${attemptsBy(ownerOf(title), by)}`,
    )
  },
)

test.each([...EVENTS].flatMap(([name, events]) => events.map((event) => [`${name} ${event}`] as const)))(
  'emits the event %s',
  (event) => {
    if (appended.has(event)) return
    const name = ownerOf(event)
    const bys = MOVES.filter(({ emits, orEmits }) =>
      [emits, orEmits].some((each) => event === `${name} ${String(each)}`),
    )
    expect.fail(`${event} was not appended. ${attemptsBy(name, bys.map(({ by }) => by).join('; '))}`)
  },
)

test.each(
  INTERFACES.flatMap(({ name, machines }) =>
    machines.map((machine) => [machine.name, name, machine] as const),
  ),
)('publishes every event that %s emits', (_title, name, machine) => {
  expect(machine.name.startsWith(`${name}.`)).toBe(true)
  for (const [move, { emits }] of movesOf(machine)) {
    if (emits !== undefined) expect(EVENTS.get(name), move).toContain(emits)
  }
})
