/** `npm run verify:score`: measures which kinds of drift `verify` finds, and with --write publishes the result. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { ROOT } from '../../../../test/support/root.ts'
import { sampleOf } from './instances.ts'
import { titleOf } from './kind.ts'
import { PAGE, SCORE_FILE, scoreLines, withScore } from './scoreTables.ts'
import { scoreOf, tryMutation, type Outcome } from './score.ts'
import { startTarget } from './target.ts'
import { startVerifying } from './verifying.ts'

const USAGE = 'npm run verify:score -- [--sample N] [--kind NAME] [--interface NAME] [--title TEXT] [--write]'

/** About five for each operation that can be read. */
const DEFAULT_SAMPLE = '500'

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const options = readOptions()
const target = await startTarget()
const verifying = startVerifying()
verifying.explainNothing()
const possible = (await target.mutations(1)).filter(
  (mutation) =>
    (options.kind === undefined || mutation.kind.name === options.kind) &&
    (options.interface === undefined || mutation.readable.interface === options.interface) &&
    titleOf(mutation).includes(options.title),
)
const chosen = sampleOf(possible, options.sample)
say(`${String(chosen.length)} of ${String(possible.length)} possible mutations`)
// Sorted by interface: what the reference keeps for an interface is then used again.
chosen.sort((one, other) => (one.readable.interface < other.readable.interface ? -1 : 1))

const outcomes: Outcome[] = []
const begun = performance.now()
for (const mutation of chosen) {
  await target.stopClock()
  const outcome = await tryMutation(target.url, mutation, verifying.run)
  outcomes.push(outcome)
  if (outcome.oracles.length === 0) {
    const place = outcome.atOtherOperations > 0 ? ', but elsewhere' : ''
    say(`${outcome.changed === 0 ? 'changed nothing' : `not found${place}`}: ${outcome.title}`)
  } else if (chosen.length < 20) say(`found by ${outcome.oracles.join(', ')}: ${outcome.title}`)
  if (outcomes.length % 50 === 0) {
    const seconds = Math.round((performance.now() - begun) / 1000)
    const { found, mutations } = scoreOf(outcomes)
    say(`${String(outcomes.length)} in ${String(seconds)} s: ${String(found)} of ${String(mutations)} found`)
  }
}
await verifying.close()
await target.close()

const score = scoreOf(outcomes)
for (const line of ['', ...scoreLines(score)]) say(line)
if (options.write) {
  writeFileSync(join(ROOT, PAGE), await withScore(readFileSync(join(ROOT, PAGE), 'utf8'), score))
  writeFileSync(join(ROOT, SCORE_FILE), `${JSON.stringify(score, null, 2)}\n`)
  say(`Written: ${PAGE}, ${SCORE_FILE}`)
}
process.exit(0)

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        sample: { type: 'string', default: DEFAULT_SAMPLE },
        kind: { type: 'string' },
        interface: { type: 'string' },
        title: { type: 'string', default: '' },
        write: { type: 'boolean', default: false },
      },
    })
    if (!/^[1-9]\d{0,5}$/.test(values.sample)) throw new Error('--sample must be a number from 1.')
    return { ...values, sample: Number(values.sample) }
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\nUsage: ${USAGE}\n`)
    process.exit(2)
  }
}
