/** `npm run soak`: parses the arguments, runs the soak, and prints its samples, table and verdict. */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { folderUntilExit, killAtExit } from '../support/untilExit.ts'
import { tableOf, verdictOf } from './report.ts'
import { soak } from './soak.ts'

const USAGE = 'npm run soak -- [--minutes N] [--rate ACTIONS_PER_SECOND] [--seed N] [--every SECONDS]'

const folder = folderUntilExit('soak')

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const { minutes, rate, seed, every } = readOptions()
const report = await soak({
  folder,
  watch: killAtExit,
  seconds: minutes * 60,
  sampleSeconds: every,
  rate,
  seed,
  tell: say,
})
const verdict = verdictOf(report.samples)
for (const line of ['', ...tableOf([...report.samples, report.last]), '']) say(line)
say(`${String(report.calls)} calls, ${String(report.webhooks)} webhooks; the last row is without workspaces`)
for (const line of verdict.lines) say(line)
for (const line of report.failures.slice(0, 20)) say(`failed: ${line}`)
if (report.failures.length > 0) say(`${String(report.failures.length)} calls failed`)
process.exit(report.failures.length > 0 || verdict.isFlat === false ? 1 : 0)

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        minutes: { type: 'string', default: '30' },
        rate: { type: 'string', default: '20' },
        seed: { type: 'string', default: '1' },
        every: { type: 'string', default: '30' },
      },
    })
    const number = (text: string): number => {
      if (!/^\d{1,6}(\.\d{1,3})?$/.test(text) || Number(text) === 0)
        throw new Error(`${text} is not a positive number.`)
      return Number(text)
    }
    return {
      minutes: number(values.minutes),
      rate: number(values.rate),
      seed: Math.floor(number(values.seed)),
      every: number(values.every),
    }
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\nUsage: ${USAGE}\n`)
    process.exit(2)
  }
}
