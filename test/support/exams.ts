/** Exams that take a tenth of the usual time: in one simulator, with short waits and few events at once. */
import { examineWith, simulatorFor, type Examination, type ExamResult } from '@suite-sim/cli/exam/examine'
import type { App } from '../../src/app.ts'
import { atEndOfFile } from './endOfFile.ts'

/** For receivers that work before they answer. */
const SHORT: Pick<Examination, 'pace' | 'eventsAtOnce'> = {
  pace: { intervalMs: 5, quietMs: 30, shortQuietMs: 10, longestWorkMs: 5000, longestFirstWorkMs: 100 },
  eventsAtOnce: 50,
}

/** Longer than any receiver takes on a busy machine. */
const TIMEOUT_MS = 60_000

let simulator: Promise<App> | null = null

atEndOfFile(async () => {
  const app = await simulator
  simulator = null
  await app?.close()
})

type Options = Pick<Examination, 'receiver'> & Partial<Examination>

/** Examines a receiver in the simulator of the test file, or in another one. */
export async function shortExam(options: Options, other?: App): Promise<ExamResult> {
  const app = other ?? (await (simulator ??= simulatorFor({ timeoutMs: TIMEOUT_MS })))
  return examineWith(app, {
    interface: 'payments',
    secret: 'whsec_exam',
    observer: null,
    timeoutMs: TIMEOUT_MS,
    ...SHORT,
    ...options,
  })
}
