/** The commands that inspect and control a running server, in the order of the help. */
import { Command, Option } from 'commander'
import { parseHttpUrls, parseLabel, parseNames, parseSeconds, parseInteger } from './building.ts'
import { advance, freeze, resume, setClock, showClock } from './remote/clocks.ts'
import { examCommand } from './examCommand.ts'
import { completion, SHELLS } from './terminal/completion.ts'
import { coverage, FORMATS } from './remote/coverage.ts'
import { FORMS, parseObject, reach } from './remote/reach.ts'
import { listReadings, setReadings } from './remote/readings.ts'
import {
  group,
  connectedCommand,
  workspaceCommand,
  readingChoices,
  text,
} from '@suite-sim/kit/terminal/flags'
import { examples, USUAL_COMMANDS } from '@suite-sim/kit/terminal/help'
import { KINDS, listen, DEFAULT_KINDS } from './listen/listen.ts'
import { parseTarget } from './listen/targets.ts'
import { TOOLS, mcp } from './mcp/mcp.ts'
import type { GradeSettings } from './remote/grade/grade.ts'
import { REPORTS } from './remote/grade/reports.ts'
import { observingCommands, recordingCommands } from './observingCommands.ts'
import { reportCommand } from './reportCommand.ts'
import type { WorkspaceSettings } from '@suite-sim/kit/terminal/settings'
import { listSnapshots, loadSnapshot, saveSnapshot } from './remote/snapshots.ts'
import { trigger } from './remote/trigger.ts'
import { createWorkspace, deleteWorkspaces, listWorkspaces, showWorkspace } from './remote/workspaces.ts'

/** `upkeep` are those that keep a server, which the list has after those that examine one. */
export const steeringCommands = (root: Command, upkeep: readonly Command[]): Command[] => [
  workspaceCommand('listen', 'print calls and deliveries live, and forward webhooks to you')
    .helpGroup(USUAL_COMMANDS)
    .addHelpText(
      'after',
      examples(
        'listen --forward-to http://localhost:3000/hooks',
        'listen --print --events sale.completed  # verify and print webhooks',
      ),
    )
    .addOption(
      new Option(
        '--forward-to <[name=]url>',
        'local URL that receives the signed webhooks while this command runs; with NAME=, only those of this interface or event; repeat it for several',
      ).argParser(parseTarget),
    )
    .addOption(
      new Option('--interface <name>', 'forward only the webhooks of this interface').argParser(text),
    )
    .addOption(
      new Option(
        '--events <names>',
        'only these events and their deliveries, such as sale.completed,payment.completed',
      ).argParser(parseNames),
    )
    .addOption(
      new Option('--print', 'print the payloads of the webhooks, and whether their signatures are right'),
    )
    .addOption(new Option('--secret <text>', 'signing secret of the forwarded webhooks').argParser(text))
    .addOption(
      new Option('--kind <kinds...>', 'kinds of entries to print')
        .choices(KINDS)
        .default(DEFAULT_KINDS, DEFAULT_KINDS.join(' ')),
    )
    .addOption(
      new Option('--for <seconds>', 'stop after this time; defaults to never').argParser(parseSeconds),
    )
    .action(listen),
  workspaceCommand('trigger', 'simulate an action by a user, a device or an authority')
    .helpGroup(USUAL_COMMANDS)
    .addHelpText(
      'after',
      examples(
        'trigger  # list the triggers',
        'trigger payments.link.pay --link_id pl_demo0000000000000009',
        `trigger pos.event.emit '{"event": "sale.completed"}'`,
      ),
    )
    .argument('[name]', 'name of the trigger, such as payments.link.pay; without it, list the triggers')
    .argument('[body...]', 'fields as --field value ..., or one JSON object')
    .allowUnknownOption()
    .action(async (name: string | undefined, body: string[], settings: WorkspaceSettings) => {
      await trigger(name, body, settings)
    }),
  workspaceCommand('reach', 'put a new record into a state, and print the way there')
    .addHelpText('after', examples('reach payments.refunds failed', 'reach crm.deals won --as curl'))
    .argument('<record>', 'section or state machine of the record, such as payments.refunds')
    .argument(
      '[state]',
      'state that it gets, such as failed; without it, the command lists those of the record',
    )
    .addOption(
      new Option(
        '--fields <json>',
        'JSON object with fields of the call or trigger that makes the record',
      ).argParser(parseObject),
    )
    .addOption(
      new Option('--as <form>', 'print only the way: commands for a shell, or code of the library').choices(
        FORMS,
      ),
    )
    .action(reach),
  group('workspace', 'list, create, show and delete workspaces', [
    connectedCommand('list', 'list the workspaces; behind a proxy those of all shards')
      .addOption(
        new Option(
          '--label <name:value>',
          'only workspaces with this label; repeat it for several, which must all match',
        ).argParser(parseLabel),
      )
      .addOption(
        new Option('--shards <urls>', 'URLs of several servers, separated by commas, instead of --url')
          .env('SIM_SHARDS')
          .argParser(parseHttpUrls),
      )
      .action(listWorkspaces),
    connectedCommand('create', 'create a workspace and print its key')
      .argument('[name]', 'name of the workspace')
      .addOption(
        new Option(
          '--fixtures <name>',
          'records of the workspace: "none" (the default), "small", "demo", the path or URL of a snapshot, or a named snapshot, such as shop@before-sale',
        ).argParser(text),
      )
      .addOption(new Option('--currency <code>', 'currency, such as MXN').argParser(text))
      .addOption(new Option('--timezone <name>', 'time zone, such as America/Mexico_City').argParser(text))
      .addOption(
        new Option(
          '--readings <name=value,...>',
          'how it reads the specification, such as scopes.unlisted=any',
        ).argParser(readingChoices),
      )
      .addOption(new Option('--cases', 'let calls choose faults with the header X-Sim-Case'))
      .addOption(
        new Option(
          '--ttl <duration>',
          'delete it after this time without calls, such as P7D (seven days)',
        ).argParser(text),
      )
      .addOption(
        new Option('--label <name:value>', 'label, such as team:checkout; repeat it for several').argParser(
          parseLabel,
        ),
      )
      .action(createWorkspace),
    connectedCommand('show', 'show a workspace')
      .argument('[id]', 'id of the workspace', 'demo')
      .action(showWorkspace),
    connectedCommand('delete', 'delete a workspace and all its data, or all workspaces with labels')
      .argument('[id]', 'id of the workspace')
      .addOption(
        new Option(
          '--label <name:value>',
          'all workspaces with this label, instead of an id; repeat it for several, which must all match',
        ).argParser(parseLabel),
      )
      .action(deleteWorkspaces),
  ])
    .addHelpText(
      'afterAll',
      examples(
        'workspace list --label team:checkout',
        'workspace create checkout --fixtures small --ttl P7D',
        'workspace create checkout --label team:checkout',
        'workspace show demo',
        'workspace delete ID',
        'workspace delete --label team:checkout',
      ),
    )
    .helpGroup(USUAL_COMMANDS),
  group('snapshot', 'save and load the records of a workspace', [
    workspaceCommand('list', 'list the named snapshots of a workspace').action(listSnapshots),
    workspaceCommand('save', 'save the records under a name or to a file')
      .argument('[name]', 'name of the snapshot on the server')
      .addOption(new Option('--file <file>', 'file to write').argParser(text))
      .action(saveSnapshot),
    workspaceCommand('load', 'load the records of a named snapshot or a file')
      .argument('[name]', 'name of the snapshot on the server')
      .addOption(new Option('--file <file>', 'file to read').argParser(text))
      .action(loadSnapshot),
  ]).addHelpText(
    'afterAll',
    examples(
      'snapshot list --workspace ID',
      'snapshot save before',
      'snapshot save --file before.json',
      'snapshot load before',
    ),
  ),
  group('clock', 'show, set, advance and freeze the clock of a workspace', [
    workspaceCommand('show', 'show the clock').action(showClock),
    workspaceCommand('set', 'set the clock and run the jobs that become due')
      .argument('<instant>', 'the new time, such as 2026-11-23T12:00:00Z')
      .action(setClock),
    workspaceCommand('advance', 'advance the clock and run the jobs that become due')
      .argument('<duration>', 'how far, such as PT30M (30 minutes), PT1H or P7D')
      .addOption(
        new Option(
          '--wait-ms <ms>',
          'maximum number of milliseconds to wait for webhook receivers',
        ).argParser(parseInteger),
      )
      .action(advance),
    workspaceCommand('freeze', 'freeze the clock')
      .addOption(
        new Option('--at <instant>', 'set it to this time first, such as 2026-11-23T12:00:00Z').argParser(
          text,
        ),
      )
      .action(freeze),
    workspaceCommand('resume', 'let the clock run again').action(resume),
  ])
    .addHelpText(
      'afterAll',
      examples(
        'clock show --workspace ID',
        'clock set 2026-12-24T18:00:00Z',
        'clock advance P7D',
        'clock freeze',
        'clock resume',
      ),
    )
    .helpGroup(USUAL_COMMANDS),
  ...observingCommands(),
  ...recordingCommands(),
  group('readings', 'show and choose how the specification is read', [
    workspaceCommand('list', 'list the readings of a workspace').action(listReadings),
    workspaceCommand('set', 'choose readings')
      .argument(
        '<name=value...>',
        'readings to choose, such as scopes.unlisted=any; see readings list',
        readingChoices,
      )
      .action(setReadings),
  ]).addHelpText('afterAll', examples('readings list --workspace ID', 'readings set scopes.unlisted=any')),
  workspaceCommand('coverage', 'show which operations, transitions and events were covered')
    .addHelpText('after', examples('coverage --workspace ID', 'coverage --server --format mermaid'))
    .addOption(new Option('--server', 'include all workspaces since the server started'))
    .addOption(
      new Option('--format <format>', 'format of the output; defaults to text, or JSON in a pipe').choices(
        FORMATS,
      ),
    )
    .action(coverage),
  reportCommand(),
  examCommand(),
  ...upkeep,
  new Command('completion')
    .description('print a script that completes commands in a shell')
    .addHelpText(
      'after',
      '\nExamples:\n  eval "$(suite-sim completion bash)"\n  suite-sim completion fish | source',
    )
    .argument('<shell>', `the shell: ${SHELLS.join(', ')}`)
    .action((shell: string) => {
      completion(shell, root)
    }),
  connectedCommand(
    'mcp',
    'serve the control plane and the interfaces to agents as tools (Model Context Protocol, stdio)',
  )
    .addHelpText(
      'after',
      examples(
        'mcp',
        'mcp --workspace ID --tools search --scopes crm:read --session run-7',
        'mcp --read-only',
      ),
    )
    .addOption(
      new Option('--workspace <id>', 'the only workspace that the session can read and change')
        .env('SIM_WORKSPACE')
        .argParser(text),
    )
    .addOption(
      new Option(
        '--tools <choice>',
        `${TOOLS.join(', ')}. search: tools that find, describe and call everything; all: also one tool for each call of the control plane, or of the interfaces in --interface`,
      ).default('search'),
    )
    .addOption(
      new Option(
        '--interface <names>',
        'only these interfaces, such as crm,payments; the control plane is the interface control',
      ).argParser(parseNames),
    )
    .addOption(
      new Option('--scopes <names>', 'only these scopes for the key that the session makes').argParser(
        parseNames,
      ),
    )
    .addOption(new Option('--session <name>', 'name of the session in the journal').argParser(text))
    .addOption(new Option('--read-only', 'offer only GET operations'))
    .addOption(new Option('--allow-reset', 'offer the call that resets the whole server'))
    .action(mcp),
  connectedCommand('grade', 'prepare a workspace for an agent, and grade what the agent did')
    .addHelpText(
      'after',
      examples(
        'grade --list',
        'grade refund-second-payment --prepare',
        'grade refund-second-payment --workspace ID --answer answer.txt',
      ),
    )
    .argument('[task]', 'a file, or the name of a task of the package')
    .addOption(new Option('--workspace <id>', 'workspace to grade').env('SIM_WORKSPACE').argParser(text))
    .addOption(
      new Option('--answer <file>', 'final answer of the agent; - for standard input').argParser(text),
    )
    .addOption(
      new Option('--report <format>', 'format of the report; defaults to text, or JSON in a pipe').choices(
        REPORTS,
      ),
    )
    .addOption(
      new Option('--prepare', 'create the workspace and the key of the agent').conflicts([
        'answer',
        'report',
      ]),
    )
    .addOption(
      new Option('--reference', 'run the reference, which must pass').conflicts([
        'answer',
        'prepare',
        'list',
      ]),
    )
    .addOption(
      new Option('--saboteurs', 'run the saboteurs, which must fail for their reasons').conflicts([
        'answer',
        'prepare',
        'list',
      ]),
    )
    .addOption(
      new Option('--self-test', 'run both, of one task or of all tasks of a folder').conflicts([
        'answer',
        'prepare',
        'list',
      ]),
    )
    .addOption(
      new Option('--list', 'list the tasks of the package').conflicts(['answer', 'prepare', 'report']),
    )
    .action(async (task: string | undefined, settings: GradeSettings) => {
      const { gradeTask } = await import('./remote/grade/grade.ts')
      await gradeTask(task, settings)
    }),
]
