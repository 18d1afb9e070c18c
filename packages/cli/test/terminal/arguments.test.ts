/** Options may stand before a command, between a group and its command, or after it. */
import { Command } from 'commander'
import { expect, test } from 'vitest'
import { commandFirst } from '@suite-sim/kit/terminal/arguments'
import { serveCommand } from '../../../../src/serve/flags.ts'
import { upkeepCommands } from '../../../../src/serve/upkeep.ts'
import { steeringCommands } from '../../src/steering.ts'

const program = new Command('suite-sim').version('1').addCommand(serveCommand(), { isDefault: true })
for (const command of steeringCommands(program, upkeepCommands())) program.addCommand(command)

test.each([
  ['--json clock --workspace w advance PT1H', 'clock advance --json --workspace w PT1H'],
  ['--url http://x workspace list', 'workspace list --url http://x'],
  ['--workspace=clock snapshot save one', 'snapshot save --workspace=clock one'],
  ['--workspace clock snapshot save one', 'snapshot save --workspace clock one'],
  ['--workspace w trigger a.b.c --url x', 'trigger --workspace w a.b.c --url x'],
  ['--json requests --status 4xx', 'requests --json --status 4xx'],
  ['clock advance PT1H --json', 'clock advance PT1H --json'],
  ['--port 0 serve --db x', 'serve --port 0 --db x'],
  ['--help clock', 'clock --help'],
  ['--port 0 --db listen', '--port 0 --db listen'],
  ['--url http://x', '--url http://x'],
  ['-- clock', '-- clock'],
  ['begin clock', 'begin clock'],
  ['', ''],
])('reads "%s" as "%s"', (written, read) => {
  const words = (line: string): string[] => line.split(' ').filter((word) => word !== '')
  expect(commandFirst(program, words(written))).toEqual(words(read))
})
