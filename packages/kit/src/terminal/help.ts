/** The help of the commands: what people use first, or with `--all` everything. */
import { Help, type AddHelpTextContext, type Command } from 'commander'

/**
 * The groups of what people use first (`helpGroup` of a command or an option). If a command has some, its help lists only
 * these. Commander gives the others the same headings, so the complete list is one list.
 */
export const USUAL_COMMANDS = 'Commands:'
export const USUAL_OPTIONS = 'Options:'

/**
 * Returns what `addHelpText` adds: examples without the name of the program. A group shows all of its examples, and gives
 * each of its commands those that call it (`afterAll`).
 */
export const examples =
  (...lines: readonly string[]) =>
  ({ command }: AddHelpTextContext): string => {
    const words = pathOf(command)
    const own = lines.filter((line) => words.every((word, index) => line.split(' ')[index] === word))
    return ['', 'Examples:', ...own.map((line) => `  suite-sim ${line}`)].join('\n')
  }

/** Returns the names of the groups of a command, and its own. */
const pathOf = (command: Command): string[] =>
  command.parent ? [...pathOf(command.parent), command.name()] : []

const complete = new Help()

/** Lets the help of a command list only the usual commands and options, and say what lists the others. */
export function shortenHelp(command: Command): void {
  const options = usualOf(complete.visibleOptions(command), ({ helpGroupHeading }) => helpGroupHeading)
  const commands = usualOf(complete.visibleCommands(command), (each) => each.helpGroup())
  command.configureHelp({
    ...command.configureHelp(),
    visibleOptions: () => options ?? complete.visibleOptions(command),
    visibleCommands: () => commands ?? complete.visibleCommands(command),
  })
  if (commands) {
    command.addHelpText('after', '\nsuite-sim help COMMAND shows the flags of a command.')
    command.addHelpText('after', 'suite-sim help --all lists every command.')
  }
  if (options) command.addHelpText('after', `\nsuite-sim help ${command.name()} --all lists every flag.`)
}

function usualOf<Item>(items: readonly Item[], groupOf: (item: Item) => string | undefined): Item[] | null {
  const usual = items.filter((item) => groupOf(item))
  return usual.length > 0 ? usual : null
}
