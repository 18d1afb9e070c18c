/** The flags of `suite-sim exam`: of a webhook receiver, and with `--caller` of a client. */
import { type Command, Option } from 'commander'
import { text, workspaceCommand } from '@suite-sim/kit/terminal/flags'
import { examples } from '@suite-sim/kit/terminal/help'
import { UsageError } from '@suite-sim/kit/terminal/problem'
import { parseAnswerSeconds, parseNames, parseObserved, parseReceiver } from './building.ts'
import type { CallerSettings } from './exam/caller/caller.ts'
import type { ExamSettings } from './exam/exam.ts'
import type { ReportFormat } from './exam/formats.ts'
import { DEFAULTS } from './exam/options.ts'

interface Settings
  extends
    Omit<ExamSettings, 'receiver' | 'report'>,
    Omit<CallerSettings, 'command' | 'report' | 'timeout' | 'server'> {
  readonly receiver?: string
  readonly report?: ReportFormat | 'md'
  readonly caller?: boolean
}

/** The options of one form alone, which the other refuses. */
const OF_RECEIVERS = ['interface', 'events', 'observe', 'workspace'] as const
const OF_CALLERS = ['only', 'list', 'fixtures', 'seed'] as const

const FORMS = `
Forms:
  suite-sim exam --receiver <url>               examine a webhook receiver
  suite-sim exam --caller -- <command> [args]   examine a client in bad weather

A client gets SUITE_SIM_URL, SUITE_SIM_KEY, SUITE_SIM_WORKSPACE, and the base
URL of each interface, such as SUITE_SIM_CRM_URL.
`

export const examCommand = (): Command =>
  workspaceCommand('exam', 'send a webhook receiver what production sends on a bad day, and grade it')
    .argument('[command...]', 'with --caller: the command of the client, after --')
    .addOption(
      new Option(
        '--receiver <url>',
        'URL of the receiver; with --caller where the client takes webhooks, with port 0 at a free port for each run',
      ).argParser(parseReceiver),
    )
    .addOption(new Option('--caller', 'examine a client: run its command once for each property'))
    .addOption(
      new Option(
        '--only <names>',
        'with --caller: only these properties, such as lost_answer,waits',
      ).argParser(parseNames),
    )
    .addOption(new Option('--list', 'with --caller: list the properties'))
    .addOption(
      new Option(
        '--fixtures <name>',
        'with --caller: records at the start, "none", "small" (default), "demo" or a snapshot',
      ).argParser(text),
    )
    .addOption(
      new Option('--seed <text>', 'with --caller: what the ids of its workspaces follow from').argParser(
        text,
      ),
    )
    .addOption(
      new Option('--interface <name>', 'interface whose events it receives')
        .default(DEFAULTS.interface)
        .argParser(text),
    )
    .addOption(
      new Option(
        '--events <names>',
        'only these events, such as payment.completed; defaults to all',
      ).argParser(parseNames),
    )
    .addOption(
      new Option(
        '--observe <workspace|url>',
        'where the work of the receiver is visible: its own URL with JSON, or the workspace of --workspace',
      ).argParser(parseObserved),
    )
    .addOption(
      new Option('--secret <text>', 'secret that signs the webhooks')
        .env('SIM_EXAM_SECRET')
        .default(DEFAULTS.secret)
        .argParser(text),
    )
    .addOption(
      new Option(
        '--timeout <seconds>',
        'time that the receiver has for an answer, or with --caller the client for a run (30)',
      )
        .default(DEFAULTS.timeout)
        .argParser(parseAnswerSeconds),
    )
    .addOption(
      new Option('--report <format>', 'format of the report; defaults to text, or JSON in a pipe').choices([
        'text',
        'json',
        'junit',
        'markdown',
        'md',
      ]),
    )
    .addOption(
      new Option('--out <file>', 'file to write; .json, .xml and .md choose the format').argParser(text),
    )
    .addHelpText('after', FORMS)
    .addHelpText(
      'after',
      examples(
        'exam --receiver http://localhost:3000/hooks',
        'exam --receiver http://localhost:3000/hooks --out report.md',
        'exam --caller -- node shop.mjs',
        'exam --caller --only lost_answer,waits -- npm run sync',
      ),
    )
    .action(async (words: string[], given: Settings, command: Command) => {
      const { report, ...rest } = given
      const settings = {
        ...rest,
        ...(report !== undefined && ({ report: report === 'md' ? 'markdown' : report } as const)),
      }
      await (given.caller === true
        ? examineClient(words, settings, command)
        : examineReceiver(words, settings, command))
    })

const isChosen = (command: Command, name: string): boolean => command.getOptionValueSource(name) === 'cli'

type Chosen = Omit<Settings, 'report'> & { readonly report?: ReportFormat }

/** It starts a simulator of its own. */
async function examineReceiver(words: readonly string[], settings: Chosen, command: Command): Promise<void> {
  const { receiver } = settings
  const other = OF_CALLERS.find((name) => isChosen(command, name))
  if (other !== undefined) throw new UsageError(`--${other} needs --caller`)
  if (words.length > 0)
    throw new UsageError(`a command needs --caller: suite-sim exam --caller -- ${words.join(' ')}`)
  if (receiver === undefined)
    command.error("error: required option '--receiver <url>' not specified", {
      code: 'commander.missingMandatoryOptionValue',
    })
  const { exam } = await import('./exam/exam.ts')
  await exam({ ...settings, receiver })
}

/** It starts a simulator of its own, unless a flag or a variable names a server. */
async function examineClient(words: readonly string[], settings: Chosen, command: Command): Promise<void> {
  const other = OF_RECEIVERS.find((name) => isChosen(command, name))
  if (other !== undefined) throw new UsageError(`--${other} is not for --caller`)
  const { url, adminToken = null, timeout, ...rest } = settings
  const hasServer = command.getOptionValueSource('url') !== 'default'
  const { callerExam } = await import('./exam/caller/caller.ts')
  await callerExam({
    ...rest,
    command: words,
    ...(command.getOptionValueSource('timeout') !== 'default' && { timeout }),
    server: hasServer ? { url, adminToken } : undefined,
  })
}
