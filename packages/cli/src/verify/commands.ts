/** The command `verify` with its flags. */
import { Command, Option } from 'commander'
import { parseInteger } from '../building.ts'
import { examples } from '@suite-sim/kit/terminal/help'
import { group, parseHttpUrl, parseInterfaces, parseShare, text } from '@suite-sim/kit/terminal/flags'
import { DEFAULT_BUDGET, DEFAULT_LEDGERS, DEFAULT_RATE } from '@suite-sim/verify/options'
import { REPORT_FORMATS } from '@suite-sim/verify/report/formats'
import {
  parseAddress,
  parseBudget,
  parseConfirmed,
  parseParameter,
  parseRate,
  parseReportTarget,
  parseResources,
  parseRun,
  parseTimezone,
} from './parsing.ts'
import type { CleanupSettings, VerifySettings } from './verify.ts'

export function verifyCommand(): Command {
  const [run, cleanup] = [runCommand(), cleanupCommand()]
  const verify = group('verify', 'compare a real service with the simulator', [run, cleanup])
  return verify
    .addHelpText('after', () => `\n${run.helpInformation().trimEnd()}`)
    .addHelpText(
      'afterAll',
      examples(
        'verify run --base-url https://suite.test --key-file key',
        'verify run --base-url https://suite.test --replay session.har',
        'verify cleanup --base-url https://suite.test --key-file key --run ID',
      ),
    )
}

const runCommand = (): Command =>
  targetCommand('run', 'read the service and report where it differs; exit with 0 if it agrees, 1 if not')
    .addOption(
      new Option('--interface <names...>', 'only these interfaces, such as crm,pos').argParser(
        parseInterfaces,
      ),
    )
    .addOption(
      new Option('--account <number>', 'account of the key in conversations').argParser(parseInteger),
    )
    .addOption(
      new Option(
        '--timezone <name>',
        'time zone by which the reports of the account group days, such as America/Panama',
      ).argParser(parseTimezone),
    )
    .addOption(
      new Option(
        '--with <interface.parameter=value>',
        'value of a parameter that no list shows, such as meetings.publicMeetingId=abc; repeat it for several',
      ).argParser(parseParameter),
    )
    .addOption(
      new Option(
        '--report <format[=file]>',
        `${REPORT_FORMATS.join(', ')}, to standard output or a file; repeat it for several`,
      ).argParser(parseReportTarget),
    )
    .addOption(new Option('--out <file>', 'file for the report').argParser(text))
    .addOption(
      new Option(
        '--min-coverage <percentage>',
        'exit with 3 if fewer of the checkable claims were checked, such as 60%',
      ).argParser(parseShare),
    )
    .addOption(
      new Option('--since <file>', 'earlier report in JSON, to show what is new and what is gone').argParser(
        text,
      ),
    )
    .addOption(
      new Option(
        '--observed <file>',
        'file to write for serve --observed, which follows the service',
      ).argParser(text),
    )
    .addOption(new Option('--probe-auth', 'also ask without a key and with a wrong one'))
    .addOption(
      new Option('--replay <file>', 'check the calls of a HAR file and send nothing').argParser(text),
    )
    .addOption(new Option('--write', 'also create, change and delete records; without it, only GET is sent'))
    .addOption(
      new Option(
        '--allow <resources...>',
        'resources without a DELETE that --write may create, such as deals,invoices',
      ).argParser(parseResources),
    )
    .addOption(new Option('--live', 'allow --write with a live key'))
    .addOption(
      new Option('--confirm <words>', 'actions that --write may do without asking: stamp,pay,send').argParser(
        parseConfirmed,
      ),
    )
    .addOption(new Option('--json', 'the same as --report json; the default in a pipe'))
    .action(async (settings: VerifySettings, command: Command) => {
      const { verifyService } = await import('./verify.ts')
      await verifyService(settings, sourceOf(command))
    })

const cleanupCommand = (): Command =>
  targetCommand('cleanup', 'delete what a run of --write left behind, such as after a crash')
    .addOption(new Option('--run <id>', 'id of the run').argParser(parseRun).makeOptionMandatory())
    .addOption(new Option('--json', 'print JSON; the default in a pipe'))
    .action(async (settings: CleanupSettings, command: Command) => {
      const { cleanUp } = await import('./verify.ts')
      await cleanUp(settings, sourceOf(command))
    })

/** Returns where the key comes from: "cli" or "env". */
const sourceOf = (command: Command): string | undefined => command.getOptionValueSource('key')

const targetCommand = (name: string, description: string): Command =>
  new Command(name)
    .description(description)
    .addOption(
      new Option('--base-url <url>', 'URL of the service, to which the paths of the interfaces are appended')
        .env('SIM_VERIFY_BASE_URL')
        .argParser(parseHttpUrl),
    )
    .addOption(
      new Option(
        '--at <interface=url>',
        'URL of an interface of its own, with its base path, such as crm=https://crm.example.com/v1; repeat it for several',
      ).argParser(parseAddress),
    )
    // `verify.ts` checks the key, because errors of Commander show the value.
    .addOption(new Option('--key <key>', 'key for the service').env('SIM_VERIFY_KEY'))
    .addOption(new Option('--key-file <file>', 'file with the key').argParser(text))
    .addOption(
      new Option('--budget <number>', 'maximum number of calls')
        .default(DEFAULT_BUDGET)
        .argParser(parseBudget),
    )
    .addOption(
      new Option('--rate <calls/s|m|h>', 'maximum rate of calls, such as 5/s or 100/m; "off" is unlimited')
        .default(DEFAULT_RATE, '5/s')
        .argParser(parseRate),
    )
    .addOption(
      new Option('--ledger <folder>', 'folder of the ledgers of --write')
        .default(DEFAULT_LEDGERS)
        .argParser(text),
    )
