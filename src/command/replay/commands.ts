/** The commands that record workspaces, and those that replay recordings. They load their code when they are called. */
import { Command, Option } from 'commander'
import { group, workspaceCommand } from '../building.ts'
import { parseHttpUrl, text, token } from '../flags.ts'
import type { DeleteSettings, StartSettings, StopSettings } from './record.ts'
import type { ReplaySettings, UpgradeSettings } from './running.ts'

export const CODE_FORMATS = ['vitest', 'pytest', 'curl'] as const

export const recordingCommands = (): Command[] => [
  group('record', 'record what changes a workspace, as a file to replay', [
    workspaceCommand('start', 'start a recording')
      .argument('[name]', 'name of the recording')
      .action(async (name: string | undefined, settings: StartSettings) => {
        const { startRecording } = await import('./record.ts')
        await startRecording(name, settings)
      }),
    workspaceCommand('stop', 'stop a recording and write its file')
      .argument('[id]', 'id of the recording; defaults to the running one')
      .addOption(new Option('--out <file>', 'file to write; defaults to standard output').argParser(text))
      .action(async (id: string | undefined, settings: StopSettings) => {
        const { stopRecording } = await import('./record.ts')
        await stopRecording(id, settings)
      }),
    workspaceCommand('list', 'list the recordings of a workspace').action(async (settings: StartSettings) => {
      const { listRecordings } = await import('./record.ts')
      await listRecordings(settings)
    }),
    workspaceCommand('delete', 'delete a recording')
      .argument('<id>', 'id of the recording')
      .action(async (id: string, settings: DeleteSettings) => {
        const { deleteRecording } = await import('./record.ts')
        await deleteRecording(id, settings)
      }),
  ]),
  replayingCommand('replay', 'replay a recording or a HAR file, and compare; or write it as a test')
    .argument('<file>', 'a recording, from record stop, or a HAR file')
    .addOption(
      new Option('--as <format>', 'write a test instead: vitest, pytest or curl').choices(CODE_FORMATS),
    )
    .addOption(new Option('--out <file>', 'file to write the test to').argParser(text))
    .addOption(new Option('--keep', 'keep the workspace of the replay; needs --url'))
    .action(async (file: string, settings: ReplaySettings) => {
      const { runReplay } = await import('./running.ts')
      await runReplay(file, settings)
    }),
  replayingCommand('can-i-upgrade', 'replay the recordings of a folder, and list calls whose answers change')
    .argument('<folder>', 'a folder with recordings (*.json) and HAR files (*.har)')
    .action(async (folder: string, settings: UpgradeSettings) => {
      const { canIUpgrade } = await import('./running.ts')
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
