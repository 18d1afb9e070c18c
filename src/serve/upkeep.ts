/** The commands that keep a server: `backup`, `restore` and `doctor`. */
import { Command, Option } from 'commander'
import { examples } from '@suite-sim/kit/terminal/help'
import { connectedCommand } from '@suite-sim/kit/terminal/flags'
import type { ServerSettings } from '@suite-sim/kit/terminal/settings'
import type { RestoreSettings } from './backups.ts'
import { databaseOption } from './flags.ts'

export const upkeepCommands = (): Command[] => [
  connectedCommand('backup', 'back up the database and the stored files of a running server on this machine')
    .addHelpText('after', examples('backup /backups/monday'))
    .argument('<directory>', 'a new or empty directory')
    .action(async (directory: string, settings: ServerSettings) => {
      // All commands that call a server list these, and few need a database.
      const { backup } = await import('./backups.ts')
      await backup(directory, settings)
    }),
  new Command('restore')
    .description('put a backup in place, while no server uses the database')
    .addHelpText('after', examples('restore /backups/monday --db data/suite.sqlite'))
    .argument('<directory>', 'directory of the backup')
    .addOption(databaseOption('database file to write'))
    .addOption(new Option('--force', 'replace an existing database'))
    .addOption(new Option('--json', 'print JSON; the default in a pipe'))
    .action(async (directory: string, settings: RestoreSettings) => {
      const { restoreBackup } = await import('./backups.ts')
      await restoreBackup(directory, settings)
    }),
  connectedCommand('doctor', 'check that this machine can run the simulator')
    .addHelpText('after', examples('doctor', 'doctor --db /data/suite.sqlite'))
    .addOption(databaseOption('database file to check'))
    .action(async (settings: ServerSettings & { db: string }) => {
      const { doctor } = await import('./doctor.ts')
      await doctor(settings)
    }),
]
