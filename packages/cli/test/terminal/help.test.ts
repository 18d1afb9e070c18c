/** The help: what people use first, everything with `--all`, and the commands one by one. */
import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { healthcheckCommand, openapiCommand, serveCommand } from '../../../../src/serve/flags.ts'
import { upkeepCommands } from '../../../../src/serve/upkeep.ts'
import { runHere } from '../../../../test/support/commandLine.ts'
import { scratchFolder } from '../../../../test/support/process.ts'
import { steeringCommands } from '../../src/steering.ts'
import { GROUPS, NAMES } from '../../src/terminal/names.ts'
import { mutateCommand } from '@suite-sim/mutate/command'
import { verifyCommand } from '../../src/verify/commands.ts'

const run = (...args: string[]) => runHere(args, { folder: scratchFolder(), variables: {} })

async function help(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args)
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' })
  return stdout
}

/** Returns the lines of a part of the help, without the indentation. */
const partOf = (text: string, title: string): string[] => {
  const [, rest = ''] = text.split(`\n${title}:\n`)
  const [part = ''] = rest.split('\n\n')
  return part
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(2))
}

/** Returns the first words of the entries of a list. Further lines of an entry begin with a space. */
const listed = (text: string, title: string): string[] =>
  partOf(text, title).flatMap((line) => /^(?:-\w, )?([\w-]+)/.exec(line)?.[1] ?? [])

const SERVE_FLAGS = serveCommand().options.map(({ long }) => long)
const USUAL_FLAGS = [
  ...['--port', '--host', '--db', '--fixtures', '--init', '--admin-token', '--public-url', '--seed'],
  ...['--webhook-http-hosts', '--allowed-hosts', '--cors', '--log-level'],
]
const USUAL_NAMES = ['serve', 'listen', 'trigger', 'workspace', 'clock', 'requests', 'records', 'faults']

describe('the program', () => {
  test.each([[['--help']], [['-h']], [['help']]])(
    '%j lists the usual commands, each in one line, with examples and what lists the others',
    async (args) => {
      const text = await help(...args)
      expect(listed(text, 'Commands')).toEqual(USUAL_NAMES)
      expect(partOf(text, 'Commands')).toHaveLength(USUAL_NAMES.length)
      const lines = partOf(text, 'Examples')
      expect(lines.length).toBeGreaterThanOrEqual(2)
      for (const line of lines) await parses(line)
      expect(text).toMatch(/\nsuite-sim help --all lists every command\.\n$/)
      expect(text).not.toContain('--port')
    },
  )

  test.each([[['help', '--all']], [['--help', '--all']], [['--all', '-h']]])(
    '%j lists every command, and every flag of serve',
    async (args) => {
      const text = await help(...args)
      expect(listed(text, 'Commands').toSorted()).toEqual(
        ['serve', 'healthcheck', 'openapi', 'help', ...NAMES].toSorted(),
      )
      expect(listed(text, 'Options of serve')).toEqual([...SERVE_FLAGS, '--help'])
      expect(text).not.toContain('lists every')
    },
  )
})

describe('serve', () => {
  test.each([[['serve', '--help']], [['help', 'serve']]])('%j lists the usual flags', async (args) => {
    const text = await help(...args)
    expect(listed(text, 'Options')).toEqual(USUAL_FLAGS)
    expect(text).toMatch(/\nsuite-sim help serve --all lists every flag\.\n$/)
  })

  test.each([[['serve', '--help', '--all']], [['help', 'serve', '--all']], [['help', '--all', 'serve']]])(
    '%j lists every flag',
    async (args) => {
      const text = await help(...args)
      expect(listed(text, 'Options')).toEqual([...SERVE_FLAGS, '--help'])
      expect(text).not.toContain('lists every')
    },
  )

  test('suggests also a flag that its help does not list', async () => {
    expect((await run('serve', '--tls-crt', 'file')).stderr).toContain('Did you mean --tls-cert?')
  })
})

const PATHS = [
  ...['serve', 'healthcheck', 'openapi', ...NAMES],
  ...Object.entries(GROUPS).flatMap(([group, names]) => names.map((name) => `${group} ${name}`)),
].map((path) => path.split(' '))

describe.each(PATHS.map((path) => [path.join(' '), path] as const))('%s', (name, path) => {
  test('has the same help by both ways, within 80 columns', async () => {
    const text = await help(...path, '--help')
    expect(await help('help', ...path)).toBe(text)
    expect(text.startsWith(`Usage: suite-sim ${name} `)).toBe(true)
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  test('has examples that call it as it is', async () => {
    const lines = partOf(await help(...path, '--help'), 'Examples')
    expect(lines.filter((line) => !line.includes(`suite-sim ${name}`))).toEqual([])
    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines) await parses(line)
  })
})

test('says which options are required', async () => {
  const required = (await help('verify', 'cleanup', '--help')).match(/^ +--[\w-]+.*\(required\)$/gm)
  expect(required).toEqual([expect.stringMatching(/^ +--run /)])
})

test('the options that many commands have are behind those of the command', async () => {
  const text = await help('clock', 'advance', '--help')
  expect(listed(text, 'Options')).toEqual(['--wait-ms', '--help'])
  expect(listed(text, 'Common options')).toEqual(['--url', '--admin-token', '--json', '--workspace'])
  expect(text.indexOf('\nCommon options:')).toBeGreaterThan(text.indexOf('\nOptions:'))
})

test.each(Object.entries(GROUPS))('%s says which command is the default', async (name, [first]) => {
  const text = (await help(name, '--help')).replaceAll(/\n {4,}/g, ' ')
  const marked = partOf(text, 'Commands').filter((line) => line.endsWith('(the default command)'))
  expect(marked.map((line) => line.split(' ')[0])).toEqual([first])
})

test('options and arguments are explained, not only by examples, and name their choices once', () => {
  const commands = allCommands()
  const items = commands.flatMap(({ options, registeredArguments }) => [...options, ...registeredArguments])
  const unclear = items.filter(
    ({ description, argChoices = [] }) =>
      /^(?:such as|$)/.test(description) ||
      (argChoices.length > 1 && argChoices.every((choice) => description.includes(choice))),
  )
  expect(unclear.map(({ description }) => description)).toEqual([])
})

/** Returns all commands and subcommands. */
function allCommands(program = new Command('suite-sim')): Command[] {
  const commands = [
    ...[serveCommand(), healthcheckCommand(), openapiCommand(), verifyCommand(), mutateCommand()],
    ...steeringCommands(program, upkeepCommands()),
  ]
  for (const command of commands) program.addCommand(command)
  return commands.flatMap((command) => [command, ...command.commands])
}

/** Parses a command line of an example with the options and arguments of its command, which does not run. */
async function parses(line: string): Promise<void> {
  const [, words = ''] = /suite-sim(.*?)(?:\)"| [#|] ?.*)?$/.exec(line) ?? []
  const args = [...words.matchAll(/'([^']*)'|[^\s']+/g)].map(([word, quoted]) => quoted ?? word)
  const program = new Command('suite-sim').exitOverride()
  const ran: string[] = []
  for (const command of allCommands(program)) {
    command.exitOverride().configureOutput({ writeErr: () => undefined })
    if (command.commands.length === 0) command.action(() => void ran.push(command.name()))
  }
  await program.parseAsync(args, { from: 'user' })
  expect({ line, ran }).toEqual({ line, ran: [expect.any(String)] })
}

test('the completion has every command and flag', async () => {
  const script = await help('completion', 'bash')
  const [, names = ''] = /^ +""\) words="(.*)" ;;$/m.exec(script) ?? []
  expect(names.split(' ')).toEqual(expect.arrayContaining(['serve', 'healthcheck', 'openapi', ...NAMES]))
  const [, flags = ''] = /^ +"serve"\) words="(.*)" ;;$/m.exec(script) ?? []
  expect(flags.split(' ')).toEqual([...SERVE_FLAGS, '--help'])
})

describe('a misspelled command', () => {
  test.each([
    [['help', 'lisen'], 'listen'],
    [['doctr', '--help'], 'doctor'],
    [['help', 'can-upgrade', '--all'], 'can-i-upgrade'],
  ])('%j suggests the nearest of all commands', async (args, nearest) => {
    expect(await run(...args)).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(new RegExp(`^suite-sim: .*; did you mean ${nearest}\\?\n$`)),
    })
  })

  test('that resembles no command is refused with all of them', async () => {
    const { code, stderr } = await run('help', 'nonsense')
    expect([code, stderr]).toEqual([2, expect.stringContaining(['openapi', ...NAMES].join(', '))])
  })
})
