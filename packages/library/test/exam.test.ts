/** `exam()`: the report, where it looks, wrong options, and its end by a signal. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { exam, type ExamOptions, type ExamProgress } from '../src/index.ts'
import { runHere } from '../../../test/support/commandLine.ts'
import { scratchFolder } from '../../../test/support/process.ts'
import { answer, startReceiver, startSample } from '../../../test/support/receivers.ts'
import { freshWorkspace } from '../../client/test/simulator.ts'

/** A receiver that works on each event once and checks nothing, and calls `work` for it. */
async function trustingReceiver(work: (id: string) => Promise<void> | void) {
  const known = new Set<string>()
  const { receiver } = await startReceiver(({ headers }, response) => {
    const id = String(headers['x-service-delivery'])
    if (known.has(id)) {
      answer(response, 200)
      return
    }
    known.add(id)
    void Promise.resolve(work(id)).then(() => {
      answer(response, 200)
    })
  })
  return receiver
}

const gradesIn = ({ properties }: { properties: readonly { name: string; grade: string }[] }) =>
  Object.fromEntries(properties.map(({ name, grade }) => [name, grade]))

const EVENTS = ['payment.completed', 'payment.failed']

describe('the report', () => {
  test('is that of the command, and nothing is printed', async () => {
    const written = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')]
    const { receiver, observe } = await startSample('refuses-unknown-events', 'top-secret')
    const options = { receiver: `${receiver}?token=hidden`, observe, secret: 'top-secret' }
    const report = await exam({ ...options, interface: 'payments', events: EVENTS })
    expect(written.flatMap(({ mock }) => mock.calls)).toEqual([])
    for (const each of written) each.mockRestore()

    expect(report).toMatchObject({
      receiver: `${receiver}?…`,
      interface: 'payments',
      events: EVENTS,
      observe,
      result: 'failed',
      summary: { passed: 11, failed: 1, notJudged: 0 },
    })
    expect(report.properties.find(({ grade }) => grade === 'fail')).toMatchObject({ name: 'unknown_event' })

    const { stdout } = await runHere(
      [
        ...['exam', '--receiver', options.receiver, '--observe', observe, '--secret', 'top-secret'],
        ...['--interface', 'payments', '--events', EVENTS.join(','), '--json'],
      ],
      { folder: scratchFolder() },
    )
    const printed = JSON.parse(stdout) as typeof report
    expect(gradesIn(report)).toEqual(gradesIn(printed))
    expect(shapeOf(report)).toEqual(shapeOf(printed))
    expect(JSON.stringify(report)).not.toMatch(/top-secret|hidden/)
  })

  test('says what it could not judge without observe, and names no flag', async () => {
    const { receiver } = await startSample('correct')
    const report = await exam({ receiver })
    expect(report).toMatchObject({ interface: 'payments', observe: null, result: 'passed' })
    const found = report.properties.find(({ name }) => name === 'duplicates')
    expect(found?.grade).toBe('not judged')
    expect(found?.reason).toContain('Only observe can show whether the work was done once.')
    expect(JSON.stringify(report.properties.map(({ reason }) => reason))).not.toContain('--')
  })
})

/** The names of all fields, without the numbers of lists. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
  if (typeof value !== 'object' || value === null) return null
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, name === 'headers' ? null : shapeOf(each)]),
  )
}

describe('observe', () => {
  test('is a function that returns the ids of the events', async () => {
    const processed: string[] = []
    const receiver = await trustingReceiver((id) => {
      processed.push(id)
    })
    const report = await exam({ receiver, events: ['payment.completed'], observe: () => processed })
    expect(report.observe).toBe('function')
    expect(gradesIn(report)).toMatchObject({ duplicates: 'pass', lost_answer: 'pass', burst: 'pass' })
    expect(gradesIn(report)).toMatchObject({ wrong_signature: 'fail', stale: 'fail' })
  })

  test('is a workspace to which the receiver writes', async () => {
    const workspace = await freshWorkspace()
    const receiver = await trustingReceiver(async (id) => {
      const json = { name: `Event ${id}`, type: 'physical', basePrice: '1.00' }
      await workspace.fetch('catalog', '/products', { json })
    })
    const report = await exam({ receiver, events: ['payment.completed'], observe: workspace })
    expect(report.observe).toBe('workspace')
    expect(gradesIn(report)).toMatchObject({ normal: 'pass', duplicates: 'pass', wrong_signature: 'fail' })
  })

  test.each<[string, ExamOptions['observe'], string]>([
    ['answers another form', () => ({ done: true }), 'observe must answer a JSON number, a list'],
    [
      'throws',
      () => {
        throw new Error('no database')
      },
      'observe failed: no database',
    ],
    ['rejects', () => Promise.reject(new Error('no table')), 'observe failed: no table'],
    ['is a URL that does not respond', 'http://127.0.0.1:1/', 'observe http://127.0.0.1:1/ does not respond'],
  ])('that %s ends the exam', async (_what, observe, message) => {
    const receiver = await trustingReceiver(() => undefined)
    await expect(exam({ receiver, ...(observe && { observe }) })).rejects.toMatchObject({
      name: 'SimulatorError',
      code: 'exam_failed',
      message: expect.stringContaining(message) as unknown,
    })
  })

  test('of a deleted workspace ends the exam', async () => {
    const receiver = await trustingReceiver(() => undefined)
    const workspace = await freshWorkspace({})
    await workspace.delete()
    await expect(exam({ receiver, observe: workspace })).rejects.toMatchObject({ code: 'exam_failed' })
  })
})

describe('a wrong option', () => {
  test.each<[object, string]>([
    [{}, 'receiver must be a URL that starts with http:// or https://'],
    [{ receiver: 'localhost:3000' }, 'receiver must be a URL that starts with http:// or https://'],
    [{ receiver: 'http://user:pass@127.0.0.1' }, 'receiver must have no user or password'],
    [{ interface: 'paymnts' }, "interface: there is no interface 'paymnts'; did you mean payments?"],
    [{ interface: '' }, 'interface must be a non-empty string'],
    [
      { events: ['payment.complete'] },
      "events: payments has no event 'payment.complete'; did you mean payment.completed?",
    ],
    [{ events: [] }, 'events must be an array of non-empty strings'],
    [{ events: 'payment.completed' }, 'events must be an array of non-empty strings'],
    [{ observe: 'workspace' }, 'observe must be a URL that starts with http:// or https://'],
    [{ observe: 7 }, 'observe must be a URL that starts with http:// or https://'],
    [{ observe: null }, 'observe must be a URL that starts with http:// or https://'],
    [{ secret: '' }, 'secret must have 1 to 200 characters'],
    [{ secret: 'x'.repeat(201) }, 'secret must have 1 to 200 characters'],
    [{ timeout: 0.9 }, 'timeout must be 1 to 60 seconds'],
    [{ timeout: 60.1 }, 'timeout must be 1 to 60 seconds'],
    [{ timeout: '10' }, 'timeout must be 1 to 60 seconds'],
  ])('%j is refused before anything is sent', async (change, message) => {
    const seen: string[] = []
    const receiver = await trustingReceiver((id) => {
      seen.push(id)
    })
    const options = Object.keys(change).length === 0 ? {} : { receiver, ...change }
    const error: unknown = await exam(options as ExamOptions).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(TypeError)
    expect((error as Error).message).toBe(`exam(): ${message}`)
    expect(seen).toEqual([])
  })

  test('that is misspelled is named with the nearest', async () => {
    await expect(exam({ reciever: 'http://127.0.0.1' } as never)).rejects.toThrow(
      'exam() has no option reciever; did you mean receiver?',
    )
    await expect(exam({ receiver: 'http://127.0.0.1' }, { onprogress: 1 } as never)).rejects.toThrow(
      'exam() hooks has no option onprogress; did you mean onProgress?',
    )
  })

  test('is none at its limits', async () => {
    const receiver = await trustingReceiver(() => undefined)
    const events = ['payment.completed']
    const ended = AbortSignal.abort(new Error('checked'))
    for (const change of [{ timeout: 1 }, { timeout: 60 }, { secret: 'x' }, { secret: 'x'.repeat(200) }]) {
      await expect(exam({ receiver, events, ...change }, { signal: ended })).rejects.toThrow('checked')
    }
  })
})

describe('hooks', () => {
  test('show the progress, and a signal ends the exam at once', async () => {
    // It never answers, so that only the signal can end it in time.
    const server = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const stopping = new AbortController()
    server.on('request', () => {
      stopping.abort(new Error('enough'))
    })
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const seen: ExamProgress[] = []
    const onProgress = (progress: ExamProgress): void => {
      seen.push(progress)
    }
    const receiver = `http://127.0.0.1:${String(port)}/`
    const ended = exam({ receiver, timeout: 60 }, { onProgress, signal: stopping.signal })
    await expect(ended).rejects.toThrow('enough')
    expect(seen).toEqual([{ property: 'normal', done: 0, total: 12 }])
  })

  test('name each property once', async () => {
    const { receiver, observe } = await startSample('correct')
    const seen: ExamProgress[] = []
    const report = await exam({ receiver, observe }, { onProgress: (progress) => seen.push(progress) })
    expect(seen.map(({ property }) => property)).toEqual(report.properties.map(({ name }) => name))
    expect(seen.map(({ done }) => done)).toEqual(seen.map((_, index) => index))
  })
})
