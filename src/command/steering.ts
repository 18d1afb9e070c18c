/** The commands that look at a server that runs and steer it. */
import { Command, Option } from 'commander'
import { group, names, reaching, seconds, whole, within } from './building.ts'
import { advance, freeze, resume, setClock, showClock } from './clocks.ts'
import { completion, SHELLS } from './completion.ts'
import { coverage, FORMATS } from './coverage.ts'
import { doctor } from './doctor.ts'
import { httpUrl, text } from './flags.ts'
import { KINDS, listen, USUAL_KINDS } from './listen.ts'
import { mcp } from './mcp.ts'
import { observingCommands } from './observingCommands.ts'
import type { Within } from './reaching.ts'
import { listSnapshots, loadSnapshot, saveSnapshot } from './snapshots.ts'
import { trigger } from './trigger.ts'
import { createWorkspace, deleteWorkspace, listWorkspaces, showWorkspace } from './workspaces.ts'

export const steeringCommands = (root: Command): Command[] => [
  within('listen', 'print calls and deliveries as they come, and have deliveries sent to you')
    .addOption(
      new Option(
        '--forward-to <url>',
        'has the simulator send the webhooks to this URL, signed, as long as this runs (by subscriptions of its own)',
      ).argParser(httpUrl),
    )
    .addOption(
      new Option('--interface <name>', 'only what this interface sends is forwarded').argParser(text),
    )
    .addOption(
      new Option('--events <names>', 'only these, such as sale.completed,payment.completed').argParser(names),
    )
    .addOption(new Option('--print', 'receives the webhooks here, verifies them and prints their payloads'))
    .addOption(new Option('--secret <text>', 'what forwarded webhooks are signed with').argParser(text))
    .addOption(new Option('--kind <kinds...>', 'what is printed').choices(KINDS).default(USUAL_KINDS))
    .addOption(new Option('--for <seconds>', 'ends after so long; without end else').argParser(seconds))
    .action(listen),
  within('trigger', 'let happen what people, devices and authorities do; without a name, list what can')
    .argument('[name]', 'such as payments.link.pay')
    .argument('[body...]', 'its fields: --field value ..., or one JSON object')
    .allowUnknownOption()
    .action(async (name: string | undefined, body: string[], settings: Within) => {
      await trigger(name, body, settings)
    }),
  group('workspace', 'list, make, show and delete workspaces', [
    reaching('list', 'list the workspaces').action(listWorkspaces),
    reaching('create', 'make a workspace; answers with its key')
      .argument('[name]', 'how it is called')
      .addOption(new Option('--fixtures <name>', '"none", "small" or "demo"').argParser(text))
      .addOption(new Option('--currency <code>', 'such as MXN').argParser(text))
      .addOption(new Option('--timezone <name>', 'such as America/Mexico_City').argParser(text))
      .action(createWorkspace),
    reaching('show', 'show a workspace').argument('[id]', 'its id', 'demo').action(showWorkspace),
    reaching('delete', 'remove a workspace with all it holds')
      .argument('<id>', 'its id')
      .action(deleteWorkspace),
  ]),
  group('snapshot', 'keep the records of a workspace, and put them back', [
    within('list', 'list the snapshots that the server keeps').action(listSnapshots),
    within('save', 'keep the records under a name, or in a file')
      .argument('[name]', 'under which the server keeps them')
      .addOption(new Option('--file <file>', 'writes them to a file').argParser(text))
      .action(saveSnapshot),
    within('load', 'put back what was kept')
      .argument('[name]', 'under which the server keeps them')
      .addOption(new Option('--file <file>', 'reads them from a file').argParser(text))
      .action(loadSnapshot),
  ]),
  group('clock', 'read, move and stop the clock of a workspace', [
    within('show', 'what time it is').action(showClock),
    within('set', 'set it to an instant; what falls due by then happens')
      .argument('<instant>', 'such as 2026-11-23T12:00:00Z')
      .action(setClock),
    within('advance', 'move it on; what falls due by then happens')
      .argument('<duration>', 'such as PT1H or P7D')
      .addOption(new Option('--wait-ms <ms>', 'how long receivers are waited for').argParser(whole))
      .action(advance),
    within('freeze', 'stop it')
      .addOption(new Option('--at <instant>', 'such as 2026-11-23T12:00:00Z').argParser(text))
      .action(freeze),
    within('resume', 'let it go on').action(resume),
  ]),
  ...observingCommands(),
  within('coverage', 'what was called, moved and sent, and what was not')
    .addOption(new Option('--server', 'of all workspaces since the server started'))
    .addOption(new Option('--format <format>', FORMATS.join(', ')).choices(FORMATS))
    .action(coverage),
  reaching('doctor', 'look for what keeps the simulator from its work here')
    .addOption(
      new Option('--db <file>', 'the database it would use')
        .env('SIM_DB')
        .default('data/suite.sqlite')
        .argParser(text),
    )
    .action(doctor),
  new Command('completion')
    .description('print what has a shell complete the commands')
    .argument('<shell>', SHELLS.join(', '))
    .action((shell: string) => {
      completion(shell, root)
    }),
  reaching('mcp', 'serve the control plane to agents as tools (Model Context Protocol, stdio)')
    .addOption(
      new Option('--workspace <id>', 'the only workspace that the session may read and change')
        .env('SIM_WORKSPACE')
        .argParser(text),
    )
    .addOption(new Option('--read-only', 'offer only the tools that read'))
    .addOption(new Option('--allow-reset', 'offer the tool that resets the whole server'))
    .action(mcp),
]
