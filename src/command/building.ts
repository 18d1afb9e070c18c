/** How the commands that steer a server are put together: the options that all of them have, groups, values. */
import { Command, InvalidArgumentError, Option } from 'commander'
import { httpUrl, text, token } from './flags.ts'

export function reaching(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .addOption(
      new Option('--url <url>', 'where the server is')
        .env('SIM_URL')
        .default('http://127.0.0.1:4012')
        .argParser(httpUrl),
    )
    .addOption(
      new Option('--admin-token <token>', 'the one of the server').env('SIM_ADMIN_TOKEN').argParser(token),
    )
    .addOption(new Option('--json', 'print JSON, as in a pipe'))
}

export const within = (name: string, description: string): Command =>
  reaching(name, description).addOption(
    new Option('--workspace <id>', 'which one').env('SIM_WORKSPACE').default('demo').argParser(text),
  )

/** The first of its commands is what it does without one. */
export function group(name: string, description: string, commands: readonly Command[]): Command {
  const made = new Command(name).description(description)
  for (const [place, command] of commands.entries()) made.addCommand(command, { isDefault: place === 0 })
  return made
}

export function seconds(value: string): number {
  const number = Number(value)
  if (!/^\d+(?:\.\d+)?$/.test(value) || number > 300) {
    throw new InvalidArgumentError('It must be seconds, at most 300.')
  }
  return number
}

export function whole(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(value)
}

/** Separated by commas. */
export function names(value: string): readonly string[] {
  const all = value.split(',').map((name) => name.trim())
  if (all.includes('')) throw new InvalidArgumentError('It must be names, separated by commas.')
  return all
}
