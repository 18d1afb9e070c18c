/** The printed way of `reach` leads to the same state in another workspace, with the library and with curl. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { NewWorkspace } from '@suite-sim/library/index'
import { MACHINES } from '../../../src/app.ts'
import type { Machine } from '../../../src/state/model/machine.ts'
import { describeWith } from '../../../test/support/toolchains.ts'
import { freshWorkspace } from './simulator.ts'

const run = promisify(execFile)

const TARGETS = MACHINES.flatMap(({ name, states, reach }: Machine) => {
  const reached = states.filter((state) => reach?.unreached?.[state] === undefined)
  return reached.length === 0 ? [] : [{ name, states: reached }]
})

/** A workspace with the same ids and the same time as the others of this name. */
async function twin(name: string): Promise<NewWorkspace> {
  const workspace = await freshWorkspace({ ids: { seed: name, fixed: 'reach' } })
  await workspace.clock.freeze('2026-11-20T15:00:00Z')
  return workspace
}

/** The moves of records, which have their ids. */
const movesIn = async (workspace: NewWorkspace): Promise<string[]> =>
  (await workspace.timeline({ kind: 'transition', limit: 200 })).map(({ title }) => title)

const AsyncFunction = (async () => undefined).constructor as new (
  ...all: string[]
) => (workspace: NewWorkspace) => Promise<void>

test.each(TARGETS)('the code of the way to each state of $name leads there', async ({ name, states }) => {
  const [walked, replayed] = [await twin(name), await twin(name)]
  for (const state of states) {
    const { way } = await walked.reach(name, state)
    await new AsyncFunction('workspace', way.map(({ code }) => code).join('\n'))(replayed)
    const moves = await movesIn(walked)
    expect(moves.some((title) => title.endsWith(`: ${state}`) || title.endsWith(` to ${state}`))).toBe(true)
    expect(await movesIn(replayed)).toEqual(moves)
  }
})

test('a field that the making call does not have is refused', async () => {
  const workspace = await freshWorkspace({ fixtures: 'none' })
  await expect(workspace.reach('payments.links', 'active', { amout: 5 })).rejects.toThrow(
    'It has no field amout; did you mean amount?',
  )
})

describeWith('jq', 'with curl and jq', () => {
  test.each(TARGETS)(
    'the commands of the way to the last state of $name lead there',
    async ({ name, states }) => {
      const [walked, replayed] = [await twin(name), await twin(name)]
      const { way } = await walked.reach(name, String(states.at(-1)))
      await run('sh', ['-euc', way.map(({ curl }) => curl).join('\n')], {
        env: {
          PATH: process.env['PATH'],
          SIM_URL: replayed.server.url,
          WORKSPACE: replayed.id,
          KEY: replayed.key,
          ACCOUNT: String(replayed.accountId),
        },
      })
      expect(await movesIn(replayed)).toEqual(await movesIn(walked))
    },
  )
})
