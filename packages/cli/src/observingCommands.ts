/** The commands that show the data and journals of a workspace, inject faults, and record and replay. */
import { Command, InvalidArgumentError, Option } from 'commander'
import { nearestName } from '@suite-sim/kit/text/nearestName'
import { INTERFACE_NAMES } from '@suite-sim/kit/interfaceNames'
import { parseInteger } from './building.ts'
import { addFault, clearFaults, deleteFault, listFaults, releaseCalls } from './remote/faults.ts'
import { examples, USUAL_COMMANDS } from '@suite-sim/kit/terminal/help'
import { group, workspaceCommand, parseHttpUrl, text, token } from '@suite-sim/kit/terminal/flags'
import { diff, DIFF_FORMATS } from './remote/diff.ts'
import {
  clearRequests,
  listDeliveries,
  listEmails,
  listRecords,
  listRequests,
  redeliver,
  saveAttachment,
  showEmail,
  showRecord,
  showRequest,
} from './remote/observing.ts'
import type { DeleteSettings, StartSettings, StopSettings } from './replay/record.ts'
import { CODE_FORMATS, type ReplaySettings, type UpgradeSettings } from './replay/settings.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

export const observingCommands = (): Command[] => [
  group('requests', 'show the calls to the interfaces', [
    withListOptions(workspaceCommand('list', 'list calls, newest first'))
      .addOption(interfaceOption())
      .addOption(new Option('--method <method>', 'only calls with this method').choices(METHODS))
      .addOption(
        new Option(
          '--path <path>',
          'only calls to this path, such as /products/*; * matches any segment',
        ).argParser(text),
      )
      .addOption(
        new Option('--status <status>', 'only calls with this status, such as 422 or 4xx').argParser(text),
      )
      .addOption(
        new Option(
          '--body <text>',
          'only calls with this text in either body; case and accents do not count',
        ).argParser(text),
      )
      .addOption(new Option('--caller <name>', 'only calls with this X-Sim-Caller').argParser(text))
      .addOption(
        new Option(
          '--as <format>',
          'print an HTTP archive of all matching calls, or of as many as --limit',
        ).choices(['har']),
      )
      .addOption(new Option('--unmatched', 'only calls that belong to no workspace: wrong key, unknown path'))
      .action(listRequests),
    workspaceCommand('show', 'show a call with its hints and effects')
      .argument('<id>', 'id of the call, from requests list')
      .addOption(
        new Option('--as <format>', 'print a curl command or an HTTP archive').choices(['curl', 'har']),
      )
      .action(showRequest),
    workspaceCommand('clear', 'clear the journal').action(clearRequests),
  ])
    .addHelpText(
      'afterAll',
      examples(
        'requests list --status 4xx',
        "requests list --path '/products/*' --wait 10",
        'requests show ID --as curl',
        'requests clear --workspace ID',
      ),
    )
    .helpGroup(USUAL_COMMANDS),
  group('emails', 'show the e-mails that the suite would have sent', [
    withListOptions(workspaceCommand('list', 'list e-mails, newest first'))
      .addOption(new Option('--to <address>', 'only e-mails to this address').argParser(text))
      .action(listEmails),
    workspaceCommand('show', 'show an e-mail')
      .argument('<id>', 'id of the e-mail, from emails list')
      .addOption(new Option('--eml', 'print it as an .eml file'))
      .action(showEmail),
    workspaceCommand('attachment', 'save an attachment of an e-mail')
      .argument('<id>', 'id of the e-mail, from emails list')
      .argument('<index>', 'position of the attachment, from 0', parseInteger)
      .addOption(new Option('--out <file>', 'file to write; defaults to standard output').argParser(text))
      .action(saveAttachment),
  ]).addHelpText(
    'afterAll',
    examples(
      'emails list --to ana@example.com --wait 10',
      'emails show ID --eml',
      'emails attachment ID 0 --out invoice.pdf',
    ),
  ),
  group('records', 'show the records of every interface', [
    workspaceCommand('list', 'list the records of a section, or the sections')
      .argument('[section]', 'section of the records, such as payments.links; without it, list the sections')
      .addOption(new Option('--limit <number>', 'maximum number of records').argParser(parseInteger))
      .addOption(
        new Option('--cursor <cursor>', 'where the page begins: nextCursor of the page before').argParser(
          text,
        ),
      )
      .action(listRecords),
    workspaceCommand('show', 'show a record with its state and possible moves')
      .argument('<section>', 'section of the record, such as payments.links')
      .argument('<id>', 'id of the record')
      .addOption(
        new Option(
          '--until <field:value>',
          'wait until the field has the value, such as status:paid',
        ).argParser(text),
      )
      .addOption(waitOption('maximum number of seconds to wait for --until'))
      .action(showRecord),
  ])
    .addHelpText(
      'afterAll',
      examples(
        'records list  # list the sections',
        'records list payments.links',
        'records show payments.links ID --until status:paid --wait 10',
      ),
    )
    .helpGroup(USUAL_COMMANDS),
  workspaceCommand('diff', 'show what changed since a snapshot')
    .addHelpText('after', examples('diff --from before', 'diff --section payments --format json'))
    .addOption(
      new Option(
        '--from <name>',
        'name of a snapshot; defaults to start, the state at the creation',
      ).argParser(text),
    )
    .addOption(
      new Option('--section <section>', 'only this section, such as payments.links or payments').argParser(
        text,
      ),
    )
    .addOption(
      new Option('--format <format>', 'format of the output; defaults to text, or JSON in a pipe').choices(
        DIFF_FORMATS,
      ),
    )
    .action(diff),
  group('faults', 'inject faults into calls and deliveries', [
    workspaceCommand('list', 'list the faults, and the calls that wait').action(listFaults),
    workspaceCommand('add', 'add a fault from flags or from a JSON object')
      .argument('[json]', 'the fault, instead of flags: {"interface":"catalog","status":503}')
      .addOption(
        new Option('--preset <name>', 'fault with usual values: outage, flaky or slow').argParser(text),
      )
      .addOption(interfaceOption())
      .addOption(new Option('--method <method>', 'only calls with this method, such as POST').argParser(text))
      .addOption(
        new Option(
          '--path <path>',
          'only calls to this path, such as /products/*; * matches any segment',
        ).argParser(text),
      )
      .addOption(
        new Option('--status <status>', 'status of the response, such as 503').argParser(parseInteger),
      )
      .addOption(
        new Option('--when-header <lines...>', 'only calls with these headers, such as "x-request-id: 7"'),
      )
      .addOption(
        new Option('--when-query <pairs...>', 'only calls with these query parameters, such as limit=10'),
      )
      .addOption(
        new Option(
          '--when-body <json>',
          'only calls or webhooks whose body has these fields, as JSON',
        ).argParser(text),
      )
      .addOption(
        new Option('--when-text <text>', 'only calls or webhooks whose body contains this text').argParser(
          text,
        ),
      )
      .addOption(new Option('--case <name>', 'only calls with the header X-Sim-Case: NAME').argParser(text))
      .addOption(new Option('--body <body>', 'body of the response: JSON or text'))
      .addOption(new Option('--header <lines...>', 'headers of the response, such as "retry-after: 2"'))
      .addOption(
        new Option('--template', 'fill placeholders of body and headers, such as {{request.body.amount}}'),
      )
      .addOption(
        new Option(
          '--delay-ms <ms>',
          'delay of the response in milliseconds; 100-900 for a random one',
        ).argParser(parseDelay),
      )
      .addOption(new Option('--reset', 'close the connection'))
      .addOption(
        new Option('--after', 'do the work of the call first: only the answer is lost, another one, or late'),
      )
      .addOption(
        new Option(
          '--limit <calls/duration>',
          'how many calls a key can make in a time, such as 10/PT1M; others get 429',
        ).argParser(parseLimit),
      )
      .addOption(
        new Option(
          '--lag <duration>',
          'how long new records are missing in lists and searches, such as PT2S',
        ).argParser(text),
      )
      .addOption(new Option('--hold', 'let calls wait until faults release'))
      .addOption(
        new Option('--times <number>', 'how many times it applies; defaults to unlimited').argParser(
          parseInteger,
        ),
      )
      .addOption(new Option('--probability <number>', 'probability from 0 to 1').argParser(parseFraction))
      .addOption(
        new Option(
          '--delivery <fault>',
          'fault for deliveries instead of calls, such as drop; before_answer delivers before the answer of the call',
        ).argParser(text),
      )
      .addOption(new Option('--event <name>', 'only deliveries of this event').argParser(text))
      .action(addFault),
    workspaceCommand('release', 'let calls go on that wait for a fault with --hold')
      .argument('<id>', 'id of the fault')
      .argument('[calls...]', 'ids of the calls, in the order in which they go on; defaults to all')
      .addOption(
        new Option('--count <number>', 'how many calls go on, in the order of their arrival').argParser(
          parseInteger,
        ),
      )
      .action(releaseCalls),
    workspaceCommand('delete', 'delete a fault').argument('<id>', 'id of the fault').action(deleteFault),
    workspaceCommand('clear', 'delete all faults').action(clearFaults),
  ])
    .addHelpText(
      'afterAll',
      examples(
        'faults list --workspace ID',
        'faults add --interface catalog --status 503 --times 2',
        'faults add --preset flaky --interface payments',
        'faults add --delivery drop --event sale.completed',
        'faults add --after --reset --method POST --times 1  # no answer',
        'faults add --limit 10/PT1M --interface payments',
        'faults add --lag PT2S --interface crm',
        'faults add --hold --method POST --path /contacts',
        'faults release ID --count 1',
        'faults delete ID',
        'faults clear',
      ),
    )
    .helpGroup(USUAL_COMMANDS),
  group('deliveries', 'show and redeliver webhook deliveries', [
    withListOptions(workspaceCommand('list', 'list deliveries, newest first'))
      .addOption(interfaceOption())
      .addOption(
        new Option('--event <name>', 'only deliveries of this event, such as sale.completed').argParser(text),
      )
      .addOption(
        new Option('--status <status>', 'only deliveries with this status').choices([
          'pending',
          'delivered',
          'dead',
        ]),
      )
      .addOption(new Option('--subscription <id>', 'only deliveries to this subscription').argParser(text))
      .action(listDeliveries),
    workspaceCommand('redeliver', 'send deliveries again, each with a new retry schedule')
      .argument('[ids...]', 'ids from deliveries list; without ids, all deliveries that the flags select')
      .addOption(
        new Option('--status <status>', 'only deliveries with this status; defaults to dead').choices([
          'pending',
          'delivered',
          'dead',
        ]),
      )
      .addOption(interfaceOption())
      .addOption(
        new Option('--event <name>', 'only deliveries of this event, such as sale.completed').argParser(text),
      )
      .addOption(
        new Option(
          '--since <instant>',
          'only deliveries of events from this instant on, such as 2026-01-31',
        ).argParser(text),
      )
      .action(redeliver),
  ]).addHelpText(
    'afterAll',
    examples(
      'deliveries list --status dead',
      'deliveries redeliver ID',
      'deliveries redeliver --status dead --since 2026-01-31',
    ),
  ),
]

const interfaceOption = (): Option =>
  new Option('--interface <name>', 'only this interface').argParser(interfaceName)

/** Refuses a misspelled name. The server refuses others. */
function interfaceName(value: string): string {
  const name = text(value)
  const near = INTERFACE_NAMES.some((each) => each === name) ? null : nearestName(name, INTERFACE_NAMES)
  if (near !== null) throw new InvalidArgumentError(`Did you mean ${near}?`)
  return name
}

const waitOption = (what: string): Option => new Option('--wait <seconds>', what).argParser(parseInteger)

const withListOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--limit <number>', 'maximum number of entries; defaults to 25').argParser(parseInteger),
    )
    .addOption(waitOption('maximum number of seconds to wait for entries'))
    .addOption(
      new Option('--count <number>', 'number of entries that --wait waits for; defaults to 1').argParser(
        parseInteger,
      ),
    )

function parseFraction(value: string): number {
  const number = Number(value)
  if (!/^(?:0|1|0?\.\d+|[01]\.\d+)$/.test(value) || number > 1) {
    throw new InvalidArgumentError('It must be a number from 0 to 1.')
  }
  return number
}

/** Parses "250", or "100-900" for a random delay. */
function parseDelay(value: string): number | { min: number; max: number } {
  const [, min = '', max] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(value) ?? []
  if (min === '') throw new InvalidArgumentError('It must be a whole number, or two such as 100-900.')
  return max === undefined ? Number(min) : { min: Number(min), max: Number(max) }
}

/** Parses "10/PT1M". The server checks the duration. */
function parseLimit(value: string): { calls: number; per: string } {
  const [, calls = '', per = ''] = /^(\d{1,9})\/(.+)$/.exec(value) ?? []
  if (per === '') throw new InvalidArgumentError('It must be CALLS/DURATION, such as 10/PT1M.')
  return { calls: Number(calls), per }
}

/** They load their code when they are called. */
export const recordingCommands = (): Command[] => [
  group('record', 'record what changes a workspace, as a file to replay', [
    workspaceCommand('start', 'start a recording')
      .argument('[name]', 'name of the recording')
      .action(async (name: string | undefined, settings: StartSettings) => {
        const { startRecording } = await import('./replay/record.ts')
        await startRecording(name, settings)
      }),
    workspaceCommand('stop', 'stop a recording and write its file')
      .argument('[id]', 'id of the recording; defaults to the running one')
      .addOption(new Option('--out <file>', 'file to write; defaults to standard output').argParser(text))
      .action(async (id: string | undefined, settings: StopSettings) => {
        const { stopRecording } = await import('./replay/record.ts')
        await stopRecording(id, settings)
      }),
    workspaceCommand('list', 'list the recordings of a workspace').action(async (settings: StartSettings) => {
      const { listRecordings } = await import('./replay/record.ts')
      await listRecordings(settings)
    }),
    workspaceCommand('delete', 'delete a recording')
      .argument('<id>', 'id of the recording')
      .action(async (id: string, settings: DeleteSettings) => {
        const { deleteRecording } = await import('./replay/record.ts')
        await deleteRecording(id, settings)
      }),
  ]).addHelpText(
    'afterAll',
    examples(
      'record start checkout',
      'record stop --out checkout.json',
      'record list --workspace ID',
      'record delete ID',
    ),
  ),
  replayingCommand('replay', 'replay a recording or a HAR file, and compare; or write it as a test')
    .addHelpText(
      'after',
      examples(
        'replay checkout.json',
        'replay session.har --fixtures demo',
        'replay checkout.json --as vitest --out checkout.test.ts',
      ),
    )
    .argument('<file>', 'a recording, from record stop, or a HAR file')
    .addOption(new Option('--as <format>', 'write a test instead of replaying').choices(CODE_FORMATS))
    .addOption(new Option('--out <file>', 'file to write the test to').argParser(text))
    .addOption(new Option('--keep', 'keep the workspace of the replay; needs --url'))
    .action(async (file: string, settings: ReplaySettings) => {
      const { runReplay } = await import('./replay/running.ts')
      await runReplay(file, settings)
    }),
  replayingCommand('can-i-upgrade', 'replay the recordings of a folder, and list calls whose answers change')
    .addHelpText('after', examples('can-i-upgrade recordings/'))
    .argument('<folder>', 'a folder with recordings (*.json) and HAR files (*.har)')
    .action(async (folder: string, settings: UpgradeSettings) => {
      const { canIUpgrade } = await import('./replay/running.ts')
      await canIUpgrade(folder, settings)
    }),
]

const replayingCommand = (name: string, description: string): Command =>
  new Command(name)
    .description(description)
    .addOption(
      new Option('--url <url>', 'URL of a running server; without it, the command starts its own in memory')
        .env('SIM_URL')
        .argParser(parseHttpUrl),
    )
    .addOption(
      new Option('--admin-token <token>', 'admin token of the server')
        .env('SIM_ADMIN_TOKEN')
        .argParser(token),
    )
    .addOption(
      new Option(
        '--fixtures <name>',
        'records that a HAR file starts with: none (the default), small, demo, or the file of a snapshot',
      ).argParser(text),
    )
    .addOption(new Option('--json', 'print JSON; the default in a pipe'))
