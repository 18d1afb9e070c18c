/** The command `mutate` with its flags. */
import { Command, InvalidArgumentError, Option } from 'commander'
import { examples } from '@suite-sim/kit/terminal/help'
import { parseInterfaces, parseShare, repeatable, text, token } from '@suite-sim/kit/terminal/flags'
import { REPORT_FORMATS } from './report/formats.ts'
import type { MutateSettings } from './mutateCommand.ts'

export const mutateCommand = (): Command =>
  new Command('mutate')
    .description(
      'change the vendor, one run of a test command for each change, and report which would be noticed',
    )
    .addHelpText(
      'after',
      examples(
        'mutate -- npx vitest run',
        'mutate --budget 10m --report html --out mutate.html -- npm test',
        'mutate --serve --junit report.xml -- pytest --junitxml report.xml',
        'mutate --only amount-cent,Link.status -- npx vitest run',
      ),
    )
    .argument('<command...>', 'the tests, after --')
    .addOption(
      new Option('--interface <names>', 'only these interfaces, such as crm,payments').argParser(
        parseInterfaces,
      ),
    )
    .addOption(
      new Option(
        '--only <names>',
        'only these kinds of changes, fields, operations or events, such as field-gone,Link.amount',
      ).argParser(parseNames),
    )
    .addOption(
      new Option(
        '--except <names>',
        'not these, such as PageMeta,field-type: fields that no program of yours reads',
      ).argParser(parseNames),
    )
    .addOption(
      new Option(
        '--budget <duration>',
        'time for everything, such as 90s, 10m or 1h; the most telling changes run first',
      ).argParser(parseBudget),
    )
    .addOption(
      new Option('--seed <text>', 'decides which of the changes that tell as much run first')
        .default('1')
        .argParser(text),
    )
    .addOption(
      new Option('--jobs <number>', 'runs at the same time; {job} in the command is the number of each')
        .default(1)
        .argParser(parseJobs),
    )
    .addOption(
      new Option(
        '--serve',
        'start a simulator for each run, and set SUITE_SIM_URL; the default if it is set',
      ),
    )
    .addOption(
      new Option('--port <port>', 'port of that simulator; defaults to a free one').argParser(parsePort),
    )
    .addOption(
      new Option('--fixtures <name|file>', 'content of that simulator')
        .env('SIM_FIXTURES')
        .default('demo')
        .argParser(text),
    )
    .addOption(
      new Option('--admin-token <token>', 'admin token of that simulator')
        .env('SIM_ADMIN_TOKEN')
        .argParser(token),
    )
    .addOption(
      new Option(
        '--junit <file>',
        'JUnit file that the command writes, for the names of failed tests',
      ).argParser(text),
    )
    .addOption(
      new Option(
        '--min-score <percentage>',
        'exit with 1 if fewer of the harmful changes were noticed, such as 80%',
      ).argParser(parseShare),
    )
    .addOption(
      new Option('--report <format>', 'format of the report; defaults to text, or JSON in a pipe').choices([
        ...REPORT_FORMATS,
      ]),
    )
    .addOption(new Option('--out <file>', 'file for the report; its name chooses the format').argParser(text))
    .addOption(new Option('--json', 'the same as --report json; the default in a pipe'))
    .action(async (command: readonly string[], settings: MutateSettings) => {
      // It starts simulators of its own.
      const { runMutate } = await import('./mutateCommand.ts')
      await runMutate(command, settings)
    })

const parseNames = repeatable((value) => {
  const names = value.split(',').map((name) => name.trim())
  if (names.includes('')) throw new InvalidArgumentError('It must be names, separated by commas.')
  return names
})

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 }

/** Parses "90s", "10m" or "1h" as ms. */
export function parseBudget(value: string): number {
  const [, digits = '', unit = ''] = /^(\d{1,5})([smh])$/.exec(value) ?? []
  const ms = Number(digits) * (UNITS[unit] ?? 0)
  if (ms === 0) throw new InvalidArgumentError('It must be a time such as 90s, 10m or 1h.')
  return ms
}

const MAX_JOBS = 64

function parseJobs(value: string): number {
  const jobs = Number(value)
  if (!/^\d{1,2}$/.test(value) || jobs < 1 || jobs > MAX_JOBS) {
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${String(MAX_JOBS)}.`)
  }
  return jobs
}

function parsePort(value: string): number {
  const port = Number(value)
  if (!/^\d{1,5}$/.test(value) || port < 1 || port > 65_535) {
    throw new InvalidArgumentError('It must be a port from 1 to 65535.')
  }
  return port
}
