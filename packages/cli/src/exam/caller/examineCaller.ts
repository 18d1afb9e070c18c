/** Examines a client: once undisturbed, then each property in workspaces of its own, several at a time. */
import { SimulatorClient } from '@suite-sim/client/client'
import { counted } from '@suite-sim/kit/text/counted'
import { UsageError } from '@suite-sim/kit/terminal/problem'
import { nearestName } from '@suite-sim/kit/text/nearestName'
import { buildApp } from '../../../../../src/index.ts'
import type { ExamHooks } from '../options.ts'
import { Documents } from './documents.ts'
import { clientErrors, gatewayTimeout, lostAnswer, serverErrors, slow, waits } from './failures.ts'
import { movingPages, unknownFields } from './lists.ts'
import { endOf, fail, notMet, pass, type CallerProperty, type Plan, type Verdict } from './property.ts'
import { runOnce, type Run, type Surroundings } from './run.ts'
import { earlyWebhook, expiredKey, lag } from './states.ts'

export const CALLER_PROPERTIES: readonly CallerProperty[] = [
  lostAnswer,
  gatewayTimeout,
  waits,
  serverErrors,
  clientErrors,
  lag,
  earlyWebhook,
  movingPages,
  expiredKey,
  slow,
  unknownFields,
]

export interface CallerResult extends Verdict {
  readonly name: string
  readonly title: string
  readonly runs: readonly Run[]
}

export interface CallerExamination extends ExamHooks, Omit<Surroundings, 'simulator' | 'signal'> {
  readonly only?: readonly string[] | undefined
  /** A server that runs already; by default, the exam starts one. */
  readonly server?: { readonly url: string; readonly adminToken: string | null } | undefined
}

const UNDISTURBED = { name: 'undisturbed', title: 'The client works if nothing disturbs it' }

/** Runs of the client at a time. Most of their time, they wait. */
const AT_ONCE = 8

export async function examineCaller(options: CallerExamination): Promise<readonly CallerResult[]> {
  const properties = chosen(options.only)
  options.signal?.throwIfAborted()
  const { server } = options
  if (server) return examineAt(server.url, server.adminToken, properties, options)
  const app = await buildApp({ fixtures: 'none', rateLimits: false })
  try {
    return await examineAt(await app.listen({ host: '127.0.0.1', port: 0 }), null, properties, options)
  } finally {
    await app.close()
  }
}

/** Returns the properties with these names. */
function chosen(only: readonly string[] | undefined): readonly CallerProperty[] {
  if (!only) return CALLER_PROPERTIES
  const names = CALLER_PROPERTIES.map(({ name }) => name)
  for (const name of only) {
    if (names.includes(name)) continue
    const near = nearestName(name, names)
    const hint = near === null ? `the properties are ${names.join(', ')}` : `did you mean ${near}?`
    throw new UsageError(`--only: there is no property '${name}'; ${hint}`)
  }
  return CALLER_PROPERTIES.filter(({ name }) => only.includes(name))
}

async function examineAt(
  url: string,
  adminToken: string | null,
  properties: readonly CallerProperty[],
  options: CallerExamination,
): Promise<readonly CallerResult[]> {
  const simulator = new SimulatorClient(url, { adminToken })
  const ending = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, ending.signal]) : ending.signal
  const surroundings: Surroundings = { ...options, simulator, signal }
  const documents = new Documents(async (of) => {
    const headers = adminToken === null ? {} : { authorization: `Bearer ${adminToken}` }
    return (await fetch(`${url}/_sim/openapi/${of}.json`, { headers })).json()
  })
  let done = 0
  const total = properties.length + 1
  const progress = (property: string): void => {
    signal.throwIfAborted()
    options.onProgress?.({ property, done, total })
  }
  progress(UNDISTURBED.name)
  const base = await runOnce(surroundings, UNDISTURBED.name)
  signal.throwIfAborted()
  const first = { ...UNDISTURBED, ...gradeUndisturbed(base), runs: [base] }
  done = 1
  if (first.grade === 'fail') {
    const verdict: Verdict = { grade: 'not judged', reason: 'The client fails undisturbed.', proof: [] }
    return [first, ...properties.map(({ name, title }) => ({ name, title, ...verdict, runs: [] }))]
  }
  await documents.load(base.calls.map((call) => call.interface))
  const limit = limiter(takesTurns(options.receiver) ? 1 : AT_ONCE)
  const longFirst = properties.toSorted(
    (one, other) => Number(other.isLong ?? false) - Number(one.isLong ?? false),
  )
  const results = await Promise.all(
    longFirst.map(async (property): Promise<CallerResult> => {
      const result = await grade(property, base, documents, (name, weather) =>
        limit(async () => {
          signal.throwIfAborted()
          return runOnce(surroundings, name, weather)
        }),
      )
      done++
      progress(property.name)
      return result
    }),
  ).catch((error: unknown) => {
    ending.abort(error)
    throw error
  })
  return [first, ...properties.flatMap(({ name }) => results.filter((each) => each.name === name))]
}

type RunWith = (name: string, weather: Plan['weather'][number]) => Promise<Run>

async function grade(
  property: CallerProperty,
  base: Run,
  documents: Documents,
  run: RunWith,
): Promise<CallerResult> {
  const { name, title } = property
  const plan = property.plan(base, documents)
  if (typeof plan === 'string') return { name, title, ...notMet(plan), runs: [] }
  const runs: Run[] = []
  let verdict: Verdict = notMet('')
  for (let next: Plan | undefined = plan; next && verdict.grade === 'not met'; next = next.otherwise) {
    const { weather } = next
    const made = await Promise.all(weather.map((each) => run(name, each)))
    runs.push(...made)
    verdict = next.judge(made)
  }
  return { name, title, ...verdict, runs }
}

function gradeUndisturbed(run: Run): Verdict {
  if (run.stopped !== null || run.exitCode !== 0) return fail(endOf(run), run, run.calls)
  if (run.calls.length > 0)
    return pass(`${endOf(run).replace(/\.$/, '')} after ${counted(run.calls.length, 'call')}.`)
  return fail(
    'The client made no call with the key of its workspace: it must use SUITE_SIM_URL and SUITE_SIM_KEY.',
    run,
    [],
  )
}

/** A port that the client listens on belongs to one run at a time. */
const takesTurns = (receiver: string | null): boolean => receiver !== null && new URL(receiver).port !== '0'

/** Returns a function that runs at most `max` tasks at a time. */
function limiter(max: number): <Result>(task: () => Promise<Result>) => Promise<Result> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (task) => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
