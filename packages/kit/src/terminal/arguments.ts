/** Reorders the command line so that each command comes before its options and arguments. */
import type { Command, Option } from 'commander'

/**
 * Moves options before a command, or between a group and its command, behind the name of the command:
 * `--json clock --workspace w advance PT1H` becomes `clock advance --json --workspace w PT1H`. Arguments without a
 * command stay unchanged.
 */
export function commandFirst(program: Command, args: readonly string[]): string[] {
  const found = nextCommand(program, args, optionsOf(program))
  if (!found) return [...args]
  const { command, before, after } = found
  const rest = [...before, ...after]
  if (command.commands.length === 0) return [command.name(), ...rest]
  return [command.name(), ...commandFirst(command, rest)]
}

/** Returns the options of a command and of all commands below it. */
const optionsOf = (command: Command): Option[] => [
  ...command.options,
  ...command.commands.flatMap((each) => optionsOf(each)),
]

interface Found {
  readonly command: Command
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** Returns the first word that is neither an option nor its value, if it is the name of a command. */
function nextCommand(parent: Command, args: readonly string[], options: readonly Option[]): Found | null {
  const findCommand = (word: string | undefined): Command | undefined =>
    parent.commands.find((each) => each.name() === word)
  for (let index = 0; index < args.length; index++) {
    const word = args[index] ?? ''
    if (word === '--') return null
    if (!word.startsWith('-')) {
      const command = findCommand(word)
      return command ? { command, before: args.slice(0, index), after: args.slice(index + 1) } : null
    }
    const matching = options.filter(({ long, short }) => word === long || word === short)
    // An option with this name may have a value in one command and none in another.
    const isFlag = matching.some(({ required }) => !required) && findCommand(args[index + 1]) !== undefined
    if (matching.some(({ required }) => required) && !isFlag) index++
  }
  return null
}
