/**
 * The command line. Flags and variables are public interface (OPERATING.md, "Start"). A wrong flag or value
 * prints one line on standard error and exits with code 2; every other error prints one line and exits with
 * code 1.
 */
import { inspect } from 'node:util'
import { Command, CommanderError } from 'commander'
import type { Serving } from './serve/serve.ts'
import { nearestName } from '@suite-sim/kit/text/nearestName'
import { commandFirst } from '@suite-sim/kit/terminal/arguments'
import { commonHelp, shortenHelp, USUAL_COMMANDS } from '@suite-sim/kit/terminal/help'
import { io, withIo, type Io } from '@suite-sim/kit/terminal/io'
import { exit, exitOnClosedPipe } from '@suite-sim/kit/terminal/pipes'
import { CommandError, printable, UsageError } from '@suite-sim/kit/terminal/problem'
import {
  unsetEmptyVariables,
  healthcheckCommand,
  openapiCommand,
  serveCommand,
  type HealthcheckSettings,
  type OpenapiSettings,
  type ServeSettings,
} from './serve/flags.ts'
import { readTokenFiles } from '@suite-sim/kit/terminal/tokenFiles'
import { VERSION } from '@suite-sim/kit/version'

const USAGE = 2
const FAILURE = 1

/** Further commands, each with the flags of its own. They are loaded only if one of them, or the help, is asked for. */
export interface Tools {
  /** In the order in which they are listed, with those of `UPKEEP`. */
  readonly names: readonly string[]
  /** The names of subcommands. */
  readonly groups: Readonly<Record<string, readonly string[]>>
  /** The variables that their options read. */
  readonly variables: readonly string[]
  /** Returns all of them, with those of `upkeep` at their place. */
  load(program: Command, upkeep: readonly Command[]): Promise<readonly Command[]>
}

const UPKEEP = ['backup', 'restore', 'doctor'] as const

const NO_TOOLS: Tools = {
  names: UPKEEP,
  groups: {},
  variables: [],
  load: (_program, upkeep) => Promise.resolve(upkeep),
}

/**
 * Runs the command in `args` (without node and script); returns the server if the command was `serve`. Another
 * program gives the streams, variables and signals of the command.
 */
export const main = (
  args: readonly string[],
  given: Io = process,
  tools: Tools = NO_TOOLS,
): Promise<Serving | null> => withIo(given, () => run(args, tools))

async function run(given: readonly string[], tools: Tools): Promise<Serving | null> {
  // `help clock advance` is read as `clock advance --help`, because Commander reads only the first word.
  const args = given[0] === 'help' ? [...given.slice(1), '--help'] : given
  unsetEmptyVariables(io().env, tools.variables)
  exitOnClosedPipe()
  let serving: Serving | null = null
  const program = await commands(args, tools, (started) => {
    serving = started
  })
  const ordered = commandFirst(program, args)
  try {
    if (asksForHelp(args)) mustBeCommand(ordered, tools)
    await withVariables(io().env, () => program.parseAsync(ordered, { from: 'user' }))
  } catch (error) {
    await end(error, ordered, tools)
  }
  return serving
}

const asksForHelp = (args: readonly string[]): boolean => args.includes('--help') || args.includes('-h')

/** Commander reads the variables of the process, before it first waits. */
function withVariables<Result>(variables: NodeJS.ProcessEnv, parse: () => Result): Result {
  const own = process.env
  process.env = variables
  try {
    return parse()
  } finally {
    process.env = own
  }
}

/** Creates the commands. Each loads its code when it is called, so that a health check stays cheap. */
async function commands(
  args: readonly string[],
  tools: Tools,
  started: (serving: Serving) => void,
): Promise<Command> {
  const isShort = asksForHelp(args) && !args.includes('--all')
  const serve = serveCommand()
    .helpGroup(USUAL_COMMANDS)
    .action(async (settings: ServeSettings) => {
      const { serve } = await import('./serve/serve.ts')
      started(await serve(settings))
    })
  const healthcheck = healthcheckCommand().action(async (settings: HealthcheckSettings) => {
    const { healthcheck } = await import('./serve/healthcheck.ts')
    await healthcheck(settings)
  })
  const openapi = openapiCommand().action(async (settings: OpenapiSettings) => {
    const { openapi } = await import('./serve/openapi.ts')
    await openapi(settings)
  })
  const program = new Command('suite-sim')
    .description('Simulates the HTTP/JSON interfaces of a business software suite.')
    .version(VERSION)
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .addHelpText('after', () => (isShort ? '' : `\nOptions of serve:\n${optionsOf(serve)}`))
    .addCommand(serve, { isDefault: true })
    .addCommand(healthcheck)
    .addCommand(openapi)
    .hook('preAction', (_program, command) => {
      readTokenFiles(io().env, command)
    })
  if (asksForHelp(args) || args.some((word) => tools.names.includes(word))) {
    const { upkeepCommands } = await import('./serve/upkeep.ts')
    for (const command of await tools.load(program, upkeepCommands())) program.addCommand(command)
  }
  for (const command of everyCommand(program)) {
    command
      .exitOverride()
      .showSuggestionAfterError()
      .configureHelp({ ...commonHelp, ...command.configureHelp() })
      .configureOutput({
        writeOut: (text) => void io().stdout.write(text),
        getOutHelpWidth: () => columnsOf(io().stdout),
        // `end` prints the error.
        writeErr: () => undefined,
      })
    if (isShort) shortenHelp(command)
  }
  return program
}

const columnsOf = ({ isTTY = false, columns = 80 }: Io['stdout']): number => (isTTY ? columns : 80)

const everyCommand = (command: Command): Command[] => [command, ...command.commands.flatMap(everyCommand)]

function optionsOf(command: Command): string {
  const help = command.createHelp()
  const width = help.longestOptionTermLength(command, help)
  return help
    .visibleOptions(command)
    .map((option) => help.formatItem(help.optionTerm(option), width, help.optionDescription(option), help))
    .join('\n')
}

const namesOf = (tools: Tools): string[] => ['serve', 'healthcheck', 'openapi', ...tools.names]

/** Commander answers a misspelled command that asks for its help with the help of the program. */
function mustBeCommand([first = '']: readonly string[], tools: Tools): void {
  const known = namesOf(tools)
  if (first.startsWith('-') || first === 'help' || known.includes(first)) return
  throw new UsageError(unknownCommand(first, known, ''))
}

/** Returns the message of a usage error. Commander reports an unknown command as an excess argument. */
function usageMessage(
  { code, message }: CommanderError,
  [first = '', second = '']: readonly string[],
  tools: Tools,
): string {
  const known = namesOf(tools)
  // Commander shows the value of a refused option, also if that is a token or a URL with a password.
  const text = message
    .replace(/^error: /, '')
    .replace(/(-token <token>') (?:argument|value) '.*'(?= (?:from|is) )/s, '$1')
    .replace(/(?<= (?:argument|value) ').*(?=' (?:from|is) )/s, withoutSecrets)
    .replace(/(?<=^unknown option '--[\w-]*=).*(?=')/s, '…')
  if (first.startsWith('-')) return text
  // Commander gives the options of a misspelled command to the default one, which does not have them.
  if (code === 'commander.unknownOption' && !known.includes(first)) return unknownCommand(first, known, '')
  if (code !== 'commander.excessArguments') return text
  const group = Object.hasOwn(tools.groups, first) ? tools.groups[first] : undefined
  if (group && !second.startsWith('-') && !group.includes(second))
    return unknownCommand(second, group, `${first} `)
  return known.includes(first) ? text : unknownCommand(first, known, '')
}

/** Hides the user, the password, the query and the fragment of a URL. */
function withoutSecrets(value: string): string {
  const start = value.indexOf('//') + 2
  if (start < 2) return value
  const host = value.lastIndexOf('@')
  const place = host < start ? value.slice(start) : `…${value.slice(host)}`
  return value.slice(0, start) + place.replace(/(?<=[?#]).*/s, '…')
}

function unknownCommand(name: string, known: readonly string[], prefix: string): string {
  const nearestCommand = nearestName(name, known)
  const hint =
    nearestCommand === null
      ? `the commands are ${known.join(', ')}`
      : `did you mean ${prefix}${nearestCommand}?`
  return `there is no command '${prefix}${name}'; ${hint}`
}

/** Prints the error in one line and ends the program. An unexpected error keeps its stack. */
function end(error: unknown, args: readonly string[], tools: Tools): Promise<never> {
  if (error instanceof CommanderError) {
    // Commander reports help and version output as errors.
    if (error.exitCode === 0) return exit(0)
    printError(usageMessage(error, args, tools))
    return exit(USAGE)
  }
  if (error instanceof CommandError || isOfNativeModule(error)) printError(error.message)
  else io().stderr.write(`${inspect(error)}\n`)
  return exit(error instanceof CommandError ? error.exitCode : FAILURE)
}

/** By its name, because the loader of the bundle makes it. */
const isOfNativeModule = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'NativeModuleError'

const printError = (message: string): void => {
  io().stderr.write(
    `suite-sim: ${printable(message.replace(/\s+/g, (space) => (space.includes('\n') ? ' ' : space)))}\n`,
  )
}
