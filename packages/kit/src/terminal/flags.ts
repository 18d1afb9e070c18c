/** What the commands have in common: shared options, groups and value parsers. */
import { Command, InvalidArgumentError, Option } from 'commander'
import { DEFAULT_URL } from '../defaultUrl.ts'
import { INTERFACE_NAMES, type InterfaceName } from '../interfaceNames.ts'
import { nearestName } from '../text/nearestName.ts'
import { COMMON_OPTIONS } from './help.ts'
import { TOKEN_CHARACTERS } from './tokenFiles.ts'

export function connectedCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .addOption(
      new Option('--url <url>', 'URL of the server')
        .env('SIM_URL')
        .default(DEFAULT_URL)
        .argParser(parseHttpUrl)
        .helpGroup(COMMON_OPTIONS),
    )
    .addOption(
      new Option('--admin-token <token>', 'admin token of the server, or control token of the workspace')
        .env('SIM_ADMIN_TOKEN')
        .argParser(token)
        .helpGroup(COMMON_OPTIONS),
    )
    .addOption(new Option('--json', 'print JSON; the default in a pipe').helpGroup(COMMON_OPTIONS))
}

export const workspaceCommand = (name: string, description: string): Command =>
  connectedCommand(name, description).addOption(
    new Option('--workspace <id>', 'id of the workspace')
      .env('SIM_WORKSPACE')
      .default('demo')
      .argParser(text)
      .helpGroup(COMMON_OPTIONS),
  )

/** Returns a command with subcommands. The first one is the default. */
export function group(name: string, description: string, commands: readonly Command[]): Command {
  const parent = new Command(name).description(description)
  for (const [index, command] of commands.entries()) parent.addCommand(command, { isDefault: index === 0 })
  const [first] = commands
  first?.summary(`${first.description()} (the default command)`)
  return parent
}

/** Returns the parser of a flag with a list, which adds the values of a repeated flag to the earlier ones. */
export function repeatable(parse: (value: string) => readonly string[]) {
  return (value: string, earlier: readonly string[] = []): readonly string[] => [...earlier, ...parse(value)]
}

export function text(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('It must not be empty.')
  return value
}

export function token(value: string): string {
  if (!TOKEN_CHARACTERS.test(value)) {
    throw new InvalidArgumentError('It must be visible ASCII characters without spaces.')
  }
  return value
}

/** Parses a URL. Removes trailing slashes, so that paths can be appended. */
export function parseHttpUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new InvalidArgumentError('It must be a URL that starts with http:// or https://.')
  }
  if (url.search || url.hash || url.username || url.password) {
    throw new InvalidArgumentError('It must have no query, fragment or credentials.')
  }
  return url.href.replace(/(?<!\/)\/+$/, '')
}

/**
 * Parses one value of `--readings`, which can be repeated: "scopes.unlisted=any,payments.refund_event=requested". The
 * server checks the names and values.
 */
export function readingChoices(
  value: string,
  earlier: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const pairs = value.split(',').map((pair) => pair.split('=').map((part) => part.trim()))
  if (pairs.some((parts) => parts.length !== 2 || parts.includes(''))) {
    throw new InvalidArgumentError('It must be name=value, several separated by commas.')
  }
  const all = [...Object.entries(earlier), ...pairs]
  if (new Set(all.map(([name]) => name)).size < all.length) {
    throw new InvalidArgumentError('It must contain each name once.')
  }
  return Object.fromEntries(all) as Readonly<Record<string, string>>
}

/** Parses "60%" or "60" as 0.6. */
export function parseShare(value: string): number {
  const [, digits = ''] = /^(\d{1,3}(?:\.\d{1,2})?) ?%?$/.exec(value) ?? []
  if (digits === '' || Number(digits) > 100) {
    throw new InvalidArgumentError('It must be a percentage from 0% to 100%, such as 60%.')
  }
  return Number(digits) / 100
}

/** Parses names of interfaces, separated by commas or spaces. */
export const parseInterfaces = repeatable((value) =>
  value.split(',').map((name) => interfaceName(name.trim())),
)

export function interfaceName(name: string): InterfaceName {
  const known = INTERFACE_NAMES.find((each) => each === name)
  if (known !== undefined) return known
  const nearest = nearestName(name, INTERFACE_NAMES)
  throw new InvalidArgumentError(
    nearest === null
      ? `It must be names of interfaces: ${INTERFACE_NAMES.join(', ')}.`
      : `No interface is called ${name}. Did you mean ${nearest}?`,
  )
}
