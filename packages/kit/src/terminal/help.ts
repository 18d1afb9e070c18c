/** The help of the commands: what people use first, or with `--all` everything. */
import { Help, type AddHelpTextContext, type Command, type HelpConfiguration } from 'commander'

/**
 * The groups of what people use first (`helpGroup` of a command or an option). If a command has some, its help lists only
 * these. Commander gives the others the same headings, so the complete list is one list.
 */
export const USUAL_COMMANDS = 'Commands:'
export const USUAL_OPTIONS = 'Options:'

/** The group of options that many commands have, such as the server. The help lists it last. */
export const COMMON_OPTIONS = 'Common options:'

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

/** What the help of each command has in common. */
export const commonHelp: HelpConfiguration = {
  optionDescription: (option) => complete.optionDescription(option) + (option.mandatory ? ' (required)' : ''),
  groupItems(all, visible, groupOf) {
    const groups = complete.groupItems(all, visible, groupOf)
    const common = groups.get(COMMON_OPTIONS)
    if (common && groups.delete(COMMON_OPTIONS)) groups.set(COMMON_OPTIONS, common)
    return groups
  },
}

/** Lets the help of a command list only the usual commands and options, and say what lists the others. */
export function shortenHelp(command: Command): void {
  const options = complete
    .visibleOptions(command)
    .filter(({ helpGroupHeading }) => helpGroupHeading === USUAL_OPTIONS)
  const commands = complete.visibleCommands(command).filter((each) => each.helpGroup() === USUAL_COMMANDS)
  if (commands.length > 0) {
    command
      .configureHelp({ ...command.configureHelp(), visibleCommands: () => commands })
      .addHelpText('after', '\nsuite-sim help COMMAND shows the flags of a command.')
      .addHelpText('after', 'suite-sim help --all lists every command.')
  }
  if (options.length > 0) {
    command
      .configureHelp({ ...command.configureHelp(), visibleOptions: () => options })
      .addHelpText('after', `\nsuite-sim help ${command.name()} --all lists every flag.`)
  }
}
