/** The flags of `suite-sim report`. */
import { type Command, Option } from 'commander'
import { repeatable, text, workspaceCommand } from '@suite-sim/kit/terminal/flags'
import { examples } from '@suite-sim/kit/terminal/help'
import { parseLabel } from './building.ts'
import type { ReportSettings } from './report/command.ts'
import { FORMATS } from './report/formats.ts'

export const reportCommand = (): Command =>
  workspaceCommand('report', 'list the assumptions that a run relied on, as questions to the vendor')
    .addOption(
      new Option(
        '--label <name:value>',
        'all workspaces with this label, instead of one; repeat it for several, which must all match',
      ).argParser(parseLabel),
    )
    .addOption(
      new Option(
        '--run <folder>',
        'folder of SUITE_SIM_REPORT, with what tests relied on, instead of a workspace',
      )
        .argParser(text)
        .conflicts('label'),
    )
    .addOption(
      new Option('--exam <file>', 'report of exam in JSON, for its score; repeat it for several').argParser(
        repeatable((value) => [text(value)]),
      ),
    )
    .addOption(
      new Option('--mutate <file>', 'report of mutate in JSON: what your tests would not notice').argParser(
        text,
      ),
    )
    .addOption(
      new Option('--verify <file>', 'report of verify in JSON: what it confirmed is no question').argParser(
        text,
      ),
    )
    .addOption(
      new Option('--format <format>', 'format of the page; defaults to md, or JSON in a pipe').choices(
        FORMATS,
      ),
    )
    .addOption(
      new Option(
        '--out <path>',
        'file to write, whose name says the format, or a folder for all formats',
      ).argParser(text),
    )
    .addHelpText(
      'after',
      examples(
        'report --workspace ID',
        'report --workspace ID --out report.html',
        'report --label run:42 --out going-live --verify verify.json',
      ),
    )
    .action(async (settings: ReportSettings) => {
      const { report } = await import('./report/command.ts')
      await report(settings)
    })
