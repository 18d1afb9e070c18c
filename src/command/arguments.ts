/** The command line in the order that the commands are read in: first the command, then its options and arguments. */
import type { Command, Option } from 'commander'

/**
 * Moves options that stand before a command, or between a group and its command, behind the command's name:
 * `--json clock --workspace w advance PT1H` is `clock advance --json --workspace w PT1H`. What leads to no command
 * stays as it is.
 */
export function commandFirst(program: Command, args: readonly string[]): string[] {
  const found = nextCommand(program, args, optionsOf(program))
  if (!found) return [...args]
  const { command, before, after } = found
  const rest = [...before, ...after]
  if (command.commands.length === 0) return [command.name(), ...rest]
  return [command.name(), ...commandFirst(command, rest)]
}

/** Every option that a command below this one may take. */
const optionsOf = (command: Command): Option[] => [
  ...command.options,
  ...command.commands.flatMap((each) => optionsOf(each)),
]

interface Found {
  readonly command: Command
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** The first word that is neither an option nor the value of one, if it names a command. */
function nextCommand(parent: Command, args: readonly string[], options: readonly Option[]): Found | null {
  const named = (word: string | undefined): Command | undefined =>
    parent.commands.find((each) => each.name() === word)
  for (let place = 0; place < args.length; place++) {
    const word = args[place] ?? ''
    if (word === '--') return null
    if (!word.startsWith('-')) {
      const command = named(word)
      return command ? { command, before: args.slice(0, place), after: args.slice(place + 1) } : null
    }
    const meant = options.filter(({ long, short }) => word === long || word === short)
    // An option of this name may take a value in one command and none in another.
    const isAlone = meant.some(({ required }) => !required) && named(args[place + 1]) !== undefined
    if (meant.some(({ required }) => required) && !isAlone) place++
  }
  return null
}
