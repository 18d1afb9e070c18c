/** `suite-sim`: the commands of the server, and those that call one. */
import { main as run, type Tools } from '../../../src/main.ts'
import { examples } from '@suite-sim/kit/terminal/help'
import type { Io } from '@suite-sim/kit/terminal/io'
import { GROUPS, NAMES, VARIABLES } from './terminal/names.ts'

const TOOLS: Tools = {
  names: NAMES,
  groups: GROUPS,
  variables: VARIABLES,
  async load(program, upkeep) {
    const { steeringCommands } = await import('./steering.ts')
    const { verifyCommand } = await import('./verify/commands.ts')
    const { mutateCommand } = await import('@suite-sim/mutate/command')
    program.addHelpText(
      'after',
      examples(
        'serve                  # start a server with the demo',
        'listen --forward-to http://localhost:3000/hooks',
        'trigger payments.link.pay --link_id pl_demo0000000000000009',
        'requests --status 4xx  # list the calls that were refused',
      ),
    )
    return [...steeringCommands(program, upkeep), verifyCommand(), mutateCommand()]
  },
}

/** Runs the command in `args` (without node and script); see src/main.ts. */
export const main = (args: readonly string[], given: Io = process): ReturnType<typeof run> =>
  run(args, given, TOOLS)
