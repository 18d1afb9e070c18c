/** Builds the commands that control a server: shared options, groups and value parsers. */
import { Command, InvalidArgumentError, Option } from 'commander'
import { DEFAULT_URL } from '../library/defaultUrl.ts'
import { parseHttpUrl, text, token } from './flags.ts'

export function connectedCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .addOption(
      new Option('--url <url>', 'URL of the server')
        .env('SIM_URL')
        .default(DEFAULT_URL)
        .argParser(parseHttpUrl),
    )
    .addOption(
      new Option('--admin-token <token>', 'admin token of the server, or control token of the workspace')
        .env('SIM_ADMIN_TOKEN')
        .argParser(token),
    )
    .addOption(new Option('--json', 'print JSON; the default in a pipe'))
}

export const workspaceCommand = (name: string, description: string): Command =>
  connectedCommand(name, description).addOption(
    new Option('--workspace <id>', 'id of the workspace')
      .env('SIM_WORKSPACE')
      .default('demo')
      .argParser(text),
  )

/** Returns a command with subcommands. The first one is the default. */
export function group(name: string, description: string, commands: readonly Command[]): Command {
  const parent = new Command(name).description(description)
  for (const [index, command] of commands.entries()) parent.addCommand(command, { isDefault: index === 0 })
  return parent
}

/**
 * Parses "team:checkout,branch:main". The server checks the names and values. A name with two values would lose one, and a
 * deletion would find more workspaces.
 */
export function labelChoices(value: string): Readonly<Record<string, string>> {
  const pairs = value.split(',').map((pair) => /^([^:]+):(.+)$/.exec(pair.trim()))
  const labels = Object.fromEntries(
    pairs.map((pair) => {
      if (!pair) throw new InvalidArgumentError('It must be name:value, several separated by commas.')
      return [pair[1], pair[2]]
    }),
  ) as Record<string, string>
  if (Object.keys(labels).length < pairs.length) {
    throw new InvalidArgumentError('It must contain each name once.')
  }
  return labels
}

export function parseSeconds(value: string): number {
  const number = Number(value)
  if (!/^\d+(?:\.\d+)?$/.test(value) || number > 300) {
    throw new InvalidArgumentError('It must be a number of seconds, at most 300.')
  }
  return number
}

export function parseInteger(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(value)
}

/** Parses URLs that are separated by commas. */
export const parseHttpUrls = (value: string): readonly string[] =>
  value.split(',').map((url) => parseHttpUrl(url.trim()))

/** Parses names that are separated by commas. */
export function parseNames(value: string): readonly string[] {
  const list = value.split(',').map((name) => name.trim())
  if (list.includes('')) throw new InvalidArgumentError('It must be names, separated by commas.')
  return list
}
