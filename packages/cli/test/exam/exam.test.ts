/** `suite-sim exam`: what it sees of receivers of any kind, its reports, and wrong flags. */
import { createHmac } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ServerResponse } from 'node:http'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { buildApp, type App } from '../../../../src/app.ts'
import { PROPERTIES, type Examination } from '../../src/exam/examine.ts'
import { UrlObserver, WorkspaceObserver } from '../../src/exam/observers.ts'
import { Remote } from '@suite-sim/kit/terminal/remote'
import { UNCHANGED } from '../../../../src/observed/index.ts'
import { INTERFACE_NAMES } from '@suite-sim/kit/interfaceNames'
import { freshApp } from '../../../../test/support/app.ts'
import { runHere } from '../../../../test/support/commandLine.ts'
import { shortExam } from '../../../../test/support/exams.ts'
import { casesOf } from '../../../../test/support/extent.ts'
import { listenTo } from '../../../../test/support/payers.ts'
import { build, freePort, run as runProcess, scratchFolder } from '../../../../test/support/process.ts'
import { answer, startReceiver, startSample, type Received } from '../../../../test/support/receivers.ts'

const SECRET = 'a-secret'
const DAY = 24 * 60 * 60 * 1000

interface Envelope {
  readonly id: string
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

const isSigned = ({ body, headers }: Received): boolean =>
  headers['x-service-signature'] === `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`

/** Parses a delivery that a correct receiver works on; null if it has refused or ignored it. */
function accept(delivery: Received, response: ServerResponse): Envelope | null {
  if (!isSigned(delivery)) {
    answer(response, 401)
    return null
  }
  const envelope = JSON.parse(delivery.body) as Envelope & { created_at?: string; createdAt?: string }
  const at = Date.parse(envelope.created_at ?? envelope.createdAt ?? '')
  if (!(Date.now() - at < 3 * DAY)) {
    answer(response, 400)
    return null
  }
  if (envelope.event === 'exam.unknown_event') {
    answer(response, 204)
    return null
  }
  return envelope
}

/** A correct receiver, which calls `work` once for each event and then answers. */
function correctReceiver(
  show: () => unknown,
  work: (envelope: Envelope, answered: () => void) => void = (_envelope, answered) => {
    answered()
  },
) {
  const known = new Set<string>()
  return startReceiver((delivery, response) => {
    const envelope = accept(delivery, response)
    if (!envelope) return
    const isNew = !known.has(envelope.id)
    known.add(envelope.id)
    const answered = (): void => {
      answer(response, 200)
    }
    if (isNew) work(envelope, answered)
    else answered()
  }, show)
}

/** Examines a receiver; returns the grades by property, and the result. */
async function gradesOf(options: Pick<Examination, 'receiver'> & Partial<Examination>, app?: App) {
  const result = await shortExam({ secret: SECRET, ...options }, app)
  const of = (name: string) => {
    const found = result.properties.find((each) => each.name === name)
    if (!found) throw new Error(`no property ${name}`)
    return found
  }
  const odd = Object.fromEntries(
    result.properties.flatMap(({ name, grade }) => (grade === 'pass' ? [] : [[name, grade]])),
  )
  return { ...result, of, odd }
}

/** What statuses alone can't show. */
const UNSEEN = { duplicates: 'not judged', reordering: 'not judged', lost_answer: 'not judged' }

/** What ids without `current`, and numbers, can't show. */
const UNORDERED = { reordering: 'not judged' }

const NAMES = ['normal', ...PROPERTIES.map(({ name }) => name)]

describe('a receiver without --observe', () => {
  test('is judged by its statuses, and what they cannot show is not judged', async () => {
    const { receiver } = await correctReceiver(() => 0)
    const { odd, of, properties } = await gradesOf({ receiver, eventsAtOnce: 500 })
    expect(properties.map(({ name }) => name)).toEqual(NAMES)
    expect(odd).toEqual(UNSEEN)
    expect(of('duplicates').reason).toContain('--observe')
  })

  test.each(casesOf(INTERFACE_NAMES, 3))('gets the events of %s', async (name) => {
    const seen = new Map<string, Received>()
    const { receiver } = await startReceiver((delivery, response) => {
      seen.set(delivery.event, delivery)
      if (accept(delivery, response)) answer(response, 200)
    })
    const { events, odd } = await gradesOf({ receiver, interface: name })
    expect(events.length).toBeGreaterThan(1)
    expect([...seen.keys()]).toEqual(expect.arrayContaining([...events]))
    expect(odd).toEqual(UNSEEN)
  })

  test('gets only the events of --events, each about a record of its own', async () => {
    const records: string[] = []
    const { receiver } = await correctReceiver(
      () => 0,
      ({ event, data }, answered) => {
        records.push(`${event} ${(data['transaction'] as { id: string }).id}`)
        answered()
      },
    )
    const { events } = await gradesOf({ receiver, events: ['payment.failed'] })
    expect(events).toEqual(['payment.failed'])
    expect(records.length).toBeGreaterThan(50)
    expect(records.every((each) => /^payment\.failed txn_[a-f\d]+$/.test(each.replace('demo', '')))).toBe(
      true,
    )
    // Only the two events of the reordering are about one record.
    expect(new Set(records).size).toBe(records.length - 1)
  })

  test('is not judged further if it accepts no normal event', async () => {
    const { receiver } = await startReceiver((_delivery, response) => {
      answer(response, 401)
    })
    const { of, properties } = await gradesOf({ receiver })
    expect(of('normal')).toMatchObject({ grade: 'fail' })
    expect(of('normal').reason).toContain('answered 401')
    expect(of('normal').reason).toContain('--secret')
    expect(properties.slice(1).every(({ grade }) => grade === 'not judged')).toBe(true)
  })

  test('is not judged further if no server listens', async () => {
    const { of, properties } = await gradesOf({ receiver: `http://127.0.0.1:${String(await freePort())}/` })
    expect(of('normal').reason).toContain('ECONNREFUSED')
    expect(of('normal').exchanges).toHaveLength(1)
    expect(properties.slice(1).every(({ grade }) => grade === 'not judged')).toBe(true)
  })

  test('fails if it never answers a truncated body', async () => {
    const { receiver } = await startReceiver((delivery, response) => {
      try {
        JSON.parse(delivery.body)
      } catch {
        return
      }
      if (accept(delivery, response)) answer(response, 200)
    })
    const { of, odd } = await gradesOf({ receiver, timeoutMs: 1000 })
    expect(odd).toEqual({ ...UNSEEN, truncated: 'fail' })
    expect(of('truncated').reason).toContain('no answer within 1 s')
  })

  test.each(
    casesOf(
      [
        ['410, because it ends the subscription', 410],
        ['500, because it is an error of the receiver', 500],
        ['429, because it asks for the same delivery again', 429],
        ['302', 302],
      ] as const,
      2,
    ),
  )('fails a wrong signature with %s', async (_why, status) => {
    const { receiver } = await startReceiver((delivery, response) => {
      if (delivery.body.endsWith('}') && !isSigned(delivery)) answer(response, status)
      else if (accept(delivery, response)) answer(response, 200)
    })
    const { of, odd } = await gradesOf({ receiver })
    expect(odd).toEqual({ ...UNSEEN, wrong_signature: 'fail' })
    expect(of('wrong_signature').reason).toContain(String(status))
  })

  test('fails if a wrong signature makes it refuse the correct retry', async () => {
    const poisoned = new Set<unknown>()
    const { receiver } = await startReceiver((delivery, response) => {
      const id = delivery.headers['x-service-delivery']
      if (delivery.body.endsWith('}') && !isSigned(delivery)) poisoned.add(id)
      if (poisoned.has(id)) answer(response, 403)
      else if (accept(delivery, response)) answer(response, 200)
    })
    const { of } = await gradesOf({ receiver })
    expect(of('wrong_signature')).toMatchObject({ grade: 'fail' })
    expect(of('wrong_signature').reason).toContain('answered 403 to the correct retry')
  })

  /** Answers 503 from the delivery `from` of a burst on, while `isPutOff` says so. */
  async function busyFrom(from: number, isPutOff: (delivery: Received) => boolean) {
    let count = 0
    return startReceiver((delivery, response) => {
      if (++count >= from && isPutOff(delivery)) answer(response, 503)
      else if (accept(delivery, response)) answer(response, 200)
    })
  }

  test('passes a burst if it puts off events with 503 and accepts their retries', async () => {
    const known = new Set<unknown>()
    const { receiver } = await busyFrom(120, ({ event, headers }) => {
      const id = headers['x-service-delivery']
      const isPutOff = event === 'payment.failed' && !known.has(id)
      known.add(id)
      return isPutOff
    })
    const { of } = await gradesOf({ receiver, eventsAtOnce: 200 })
    expect(of('burst').grade).toBe('pass')
    expect(of('burst').reason).toMatch(/ \d+ were put off and accepted as retries\.$/)
  })

  test('fails a burst if it puts off events for hours', async () => {
    const { receiver } = await busyFrom(120, ({ event }) => event === 'payment.failed')
    const { of } = await gradesOf({ receiver, eventsAtOnce: 200 })
    expect(of('burst').grade).toBe('fail')
    expect(of('burst').reason).toMatch(
      /^\d+ events were put off, and not accepted within an hour of retries\.$/,
    )
  })
})

describe('the outage', () => {
  test('lasts 27 hours by the clock of the events, and ends with retries of the schedule', async () => {
    const { receiver } = await correctReceiver(() => 0)
    const { of } = await gradesOf({ receiver })
    const { exchanges } = of('outage')
    const [first] = exchanges.filter(({ isForwarded }) => isForwarded)
    const attempts = exchanges.filter(({ delivery }) => delivery === first?.delivery)
    expect(attempts.filter(({ isForwarded }) => !isForwarded).length).toBeGreaterThan(5)
    const { created_at: at } = JSON.parse(first?.body ?? '') as { created_at: string }
    expect(Date.now() - Date.parse(at)).toBeGreaterThan(27 * 60 * 60 * 1000)
  })

  test('lasts as long as the schedule of the interface', async () => {
    const schedule = { delays: [0, 10_000, 1_800_000], jitter: 0 }
    const app = await buildApp({
      rateLimits: false,
      extension: { ...UNCHANGED, extend: (definition) => ({ ...definition, schedule }) },
    })
    onTestFinished(() => app.close())
    const { receiver } = await correctReceiver(() => 0)
    const { of, odd } = await gradesOf({ receiver }, app)
    expect(odd).toEqual(UNSEEN)
    const { title, exchanges } = of('outage')
    expect(title).toContain('After an outage of 30 minutes,')
    const attempts = exchanges.filter(({ delivery }) => delivery === exchanges[0]?.delivery)
    expect(attempts.map(({ isForwarded }) => isForwarded)).toEqual([false, false, true])
  })
})

describe('a receiver with --observe', () => {
  test.each(
    casesOf(
      [
        ['a list of ids', (ids: string[]) => ids],
        ['a number of several rows for each event', (ids: string[]) => ids.length * 3 + 7],
        ['a count', (ids: string[]) => ({ count: ids.length })],
        ['processed ids', (ids: string[]) => ({ processed: ids })],
        ['a list of objects', (ids: string[]) => ids.map((id) => ({ id }))],
      ] as const,
      2,
    ),
  )('passes if it is correct and shows %s', async (_what, show) => {
    const ids: string[] = []
    const { receiver, observe } = await correctReceiver(
      () => show(ids),
      ({ id }, answered) => {
        ids.push(id)
        answered()
      },
    )
    const { odd, of } = await gradesOf({ receiver, observer: new UrlObserver(observe) })
    expect(odd).toEqual(UNORDERED)
    expect(of('burst').reason).toContain('The work was done 50 times')
  })

  test.each([
    ['a number', (ids: string[]) => ids.length],
    ['a list of ids', (ids: string[]) => ids],
  ])('passes if it works after its answer, and shows %s', async (_what, show) => {
    const queue: string[] = []
    const done: string[] = []
    const { receiver, observe } = await correctReceiver(
      () => {
        // Works off a part of its queue between two observations.
        done.push(...queue.splice(0, 100))
        return show(done)
      },
      ({ id }, answered) => {
        queue.push(id)
        answered()
      },
    )
    const { odd } = await gradesOf({ receiver, observer: new UrlObserver(observe) })
    expect(odd).toEqual(UNORDERED)
  })

  test('may ignore an old event with a 2xx, but no wrong signature', async () => {
    const ids: string[] = []
    const known = new Set<string>()
    const { receiver, observe } = await startReceiver(
      (delivery, response) => {
        if (!isSigned(delivery)) answer(response, delivery.body.endsWith('}') ? 200 : 400)
        else {
          const { id, event, created_at: at } = JSON.parse(delivery.body) as Envelope & { created_at: string }
          if (event !== 'exam.unknown_event' && Date.now() - Date.parse(at) < 3 * DAY && !known.has(id)) {
            known.add(id)
            ids.push(id)
          }
          answer(response, 200)
        }
      },
      () => ids,
    )
    const { odd, of } = await gradesOf({ receiver, observer: new UrlObserver(observe) })
    expect(of('stale').reason).toContain('without doing the work')
    expect(odd).toEqual({ ...UNORDERED, wrong_signature: 'fail' })
    expect(of('wrong_signature').reason).toContain('After a 2xx, no correct retry follows')
  })

  test('fails if it works on what it refuses, and on unknown events', async () => {
    const ids: string[] = []
    const known = new Set<string>()
    const { receiver, observe } = await startReceiver(
      (delivery, response) => {
        const id = /"id":"(\w+)"/.exec(delivery.body)?.[1] ?? ''
        if (!known.has(id)) ids.push(id)
        known.add(id)
        if (delivery.event === 'exam.unknown_event') answer(response, 200)
        else if (accept(delivery, response)) answer(response, 200)
      },
      () => ids,
    )
    const { odd, of } = await gradesOf({ receiver, observer: new UrlObserver(observe) })
    expect(odd).toEqual({
      ...UNORDERED,
      stale: 'fail',
      wrong_signature: 'fail',
      unknown_event: 'fail',
      truncated: 'fail',
      // It reads the id as the simulator usually writes it.
      other_bytes: 'fail',
    })
    expect(of('stale').reason).toContain('and did the work')
  })

  test('continues with the events that cause work', async () => {
    const ids: string[] = []
    const { receiver, observe } = await correctReceiver(
      () => ids,
      ({ id, event }, answered) => {
        if (event.startsWith('payment.refunded')) ids.push(id)
        answered()
      },
    )
    const { odd, of } = await gradesOf({ receiver, observer: new UrlObserver(observe) })
    expect(odd).toEqual(UNORDERED)
    expect(new Set(of('burst').exchanges.map(({ event }) => event))).toEqual(new Set(['payment.refunded']))
  })

  test('is not judged further if its work can no longer be seen', async () => {
    const ids: string[] = []
    let observations = 0
    const { receiver, observe } = await correctReceiver(
      () => (++observations > 12 ? 'broken' : ids),
      ({ id }, answered) => {
        ids.push(id)
        answered()
      },
    )
    const { of, odd, observeError, properties } = await gradesOf({
      receiver,
      observer: new UrlObserver(observe),
    })
    expect(Object.values(odd)).not.toContain('fail')
    expect(observeError).toMatch(
      /^The work of the receiver can't be seen: --observe \S+ must answer a JSON number.*\.$/,
    )
    expect(of('truncated')).toMatchObject({ grade: 'not judged', reason: observeError })
    expect(properties.filter(({ grade }) => grade === 'pass').length).toBeGreaterThan(1)
  })

  test('fails if it shows no work', async () => {
    const { receiver, observe } = await correctReceiver(() => [])
    const { of, odd } = await gradesOf({ receiver, observer: new UrlObserver(observe) })
    expect(of('normal').reason).toContain('--observe shows no work')
    expect(odd).toEqual({ ...UNSEEN, normal: 'fail' })
  })
})

describe('--observe workspace', () => {
  /** A receiver that creates a contact for each event in a workspace of a running simulator. */
  async function writingBack(workTwice: boolean) {
    const fresh = await freshApp()
    const url = await listenTo(fresh)
    const known = new Set<string>()
    const { receiver } = await startReceiver((delivery, response) => {
      const envelope = accept(delivery, response)
      if (!envelope) return
      const isRetry = delivery.headers['x-service-attempt'] !== '1'
      const isNew = !known.has(envelope.id) || (workTwice && isRetry)
      known.add(envelope.id)
      if (!isNew) {
        answer(response, 200)
        return
      }
      void fetch(`${url}/workspace/public/v1/products`, {
        method: 'POST',
        headers: { authorization: `Bearer ${fresh.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: `Event ${envelope.id}`, type: 'physical', basePrice: '1.00' }),
      }).then(({ status }) => {
        answer(response, status < 300 ? 200 : 500)
      })
    })
    return { receiver, observer: new WorkspaceObserver(new Remote(url), fresh.workspace.id) }
  }

  test('passes a receiver that writes back once', async () => {
    const { receiver, observer } = await writingBack(false)
    const { odd, of } = await gradesOf({ receiver, observer })
    expect(odd).toEqual(UNORDERED)
    expect(of('burst').reason).toContain('The work was done 50 times')
  })

  test('fails a receiver that writes back twice', async () => {
    const { receiver, observer } = await writingBack(true)
    const { odd, of } = await gradesOf({ receiver, observer })
    expect(odd).toEqual({ ...UNORDERED, lost_answer: 'fail' })
    expect(of('lost_answer').reason).toBe('The work was done 3 times instead of twice.')
  })
})

describe('suite-sim exam', () => {
  const run = async (...args: string[]) => runHere(['exam', ...args], { folder: scratchFolder() })

  test('ends with 0 and prints JSON in a pipe, without the secret', async () => {
    const { receiver, observe } = await startSample('correct', 'top-secret')
    const { code, stdout } = await run(
      ...['--receiver', `${receiver}?token=hidden`, '--observe', observe, '--secret', 'top-secret'],
    )
    expect(code, stdout).toBe(0)
    const report = JSON.parse(stdout) as {
      result: string
      receiver: string
      properties: { deliveries: { request: { headers: Record<string, string> } }[] }[]
    }
    expect(report).toMatchObject({
      interface: 'payments',
      receiver: `${receiver}?…`,
      result: 'passed',
      summary: { passed: 12, failed: 0, notJudged: 0 },
    })
    expect(stdout).not.toContain('top-secret')
    expect(stdout).not.toContain('hidden')
    const headers = report.properties[0]?.deliveries[0]?.request.headers ?? {}
    expect(headers['x-service-event']).toBe('payment.completed')
    expect(headers['x-service-signature']).toMatch(/^sha256=[\da-f]{8}…$/)
  })

  describe('as a process', () => {
    beforeAll(build)

    test('ends with 1 and names the properties', async () => {
      const { receiver, observe } = await startSample('strict-fields')
      const folder = scratchFolder()
      const { code, stdout, stderr } = await runProcess(
        ['exam', '--receiver', receiver, '--observe', observe, '--report', 'junit', '--out', 'exam.xml'],
        { folder },
      )
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toBe('suite-sim: the receiver failed the exam: extra_field\n')
      const junit = readFileSync(join(folder, 'exam.xml'), 'utf8')
      expect(junit).toContain('<testsuites tests="12" failures="1" errors="0" skipped="0">')
      expect(junit.match(/<testcase /g)).toHaveLength(12)
      expect(junit.match(/<failure /g)).toHaveLength(1)
    })
  })

  test('writes the report in each format', async () => {
    const receiver = `http://127.0.0.1:${String(await freePort())}/`
    const folder = scratchFolder()
    const written = async (format: string, file: string) => {
      const { code, stderr } = await runHere(
        ['exam', '--receiver', receiver, '--report', format, '--out', file],
        { folder },
      )
      expect(code).toBe(1)
      expect(stderr).toBe('suite-sim: the receiver failed the exam: normal\n')
      return readFileSync(join(folder, file), 'utf8')
    }
    expect(await written('text', 'exam.txt')).toContain('0 passed, 1 failed, 11 not judged')
    const junit = await written('junit', 'exam.xml')
    expect(junit).toContain('<testsuites tests="12" failures="1" errors="0" skipped="11">')
    expect(junit.match(/<testcase /g)).toHaveLength(12)
    expect(junit.match(/<failure /g)).toHaveLength(1)
    expect(await written('markdown', 'exam.md')).toMatch(/^\| fail \| `normal` \|/m)
    expect(JSON.parse(await written('json', 'exam.json'))).toMatchObject({ result: 'failed' })
  })

  test.each([
    [['--report', 'text'], "error: required option '--receiver <url>' not specified"],
    [['--receiver', 'localhost'], 'It must be a URL that starts with http:// or https://.'],
    [
      ['--receiver', 'http://user:word@localhost/?token=word'],
      "'http://…@localhost/?…' is invalid. It must have no user or password.",
    ],
    [
      ['--receiver', 'http://127.0.0.1:1', '--observe', 'ftp://user:word@localhost/#word'],
      "'ftp://…@localhost/#…' is invalid. It must be a URL",
    ],
    [['--receiver', 'http://127.0.0.1:1', '--secert=word'], "unknown option '--secert=…'"],
    [['--receiver', 'http://127.0.0.1:1', '--interface', 'payment'], 'did you mean payments?'],
    [['--receiver', 'http://127.0.0.1:1', '--interface', 'nonsense'], 'the interfaces are catalog, crm'],
    [['--receiver', 'http://127.0.0.1:1', '--events', 'payment.complete'], 'did you mean payment.completed?'],
    [['--receiver', 'http://127.0.0.1:1', '--observe', 'elsewhere'], 'It must be a URL'],
    [
      ['--receiver', 'http://127.0.0.1:1', '--report', 'html'],
      'Allowed choices are text, json, junit, markdown, md.',
    ],
    [['--receiver', 'http://127.0.0.1:1', '--timeout', '0.5'], 'It must be 1 to 60 seconds.'],
    [['--receiver', 'http://127.0.0.1:1', '--timeout', '61'], 'It must be 1 to 60 seconds.'],
    [['--receiver', 'http://127.0.0.1:1', '--out', 'no/such/folder'], '--out: cannot write no/such/folder'],
    [
      ['--receiver', 'http://127.0.0.1:1', '--secret', 'x'.repeat(201)],
      '--secret must have 1 to 200 characters',
    ],
  ])('ends with 2 for %j', async (args, message) => {
    const { code, stdout, stderr } = await run(...args)
    expect(stderr).toContain(message.replace('error: ', ''))
    expect(stdout).toBe('')
    expect(code).toBe(2)
  })

  test.each([
    ['text', () => 'done', 'must answer a JSON number'],
    ['an object without a count', () => ({ total: 3 }), 'must answer a JSON number'],
    ['a negative list', () => ({ processed: 'x' }), 'must answer a JSON number'],
    ['too much', () => 'x'.repeat(5_000_000), 'must answer at most'],
  ])('ends with 1 if --observe answers %s', async (_what, show, message) => {
    const { receiver, observe } = await correctReceiver(show)
    const { code, stderr } = await run('--receiver', receiver, '--observe', `${observe}?token=hidden`)
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('hidden')
    expect(code).toBe(1)
  })

  test('ends with 1 if --observe breaks in the middle, and fails nothing', async () => {
    const ids: string[] = []
    let observations = 0
    const { receiver, observe } = await correctReceiver(
      () => (++observations > 30 ? 'broken' : ids),
      ({ id }, answered) => {
        ids.push(id)
        answered()
      },
    )
    const { code, stdout, stderr } = await run(
      '--receiver',
      receiver,
      '--observe',
      observe,
      '--secret',
      SECRET,
    )
    expect(stderr).toMatch(/^suite-sim: The work of the receiver can't be seen: --observe \S+ must answer/)
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ result: 'failed', summary: { failed: 0 } })
  })

  test('ends with 1 if --observe does not respond', async () => {
    const url = `http://127.0.0.1:${String(await freePort())}/`
    const { code, stderr } = await run('--receiver', url, '--observe', url)
    expect(stderr).toContain('does not respond')
    expect(code).toBe(1)
    const workspace = await run('--receiver', url, '--observe', 'workspace', '--url', url)
    expect(workspace.stderr).toContain('does not respond')
    expect(workspace.code).toBe(1)
  })

  test('changes no file if a flag is wrong', async () => {
    const folder = scratchFolder()
    writeFileSync(join(folder, 'exam.json'), 'before')
    const { code } = await runHere(
      ['exam', '--receiver', 'http://127.0.0.1:1', '--interface', 'nonsense', '--out', 'exam.json'],
      { folder },
    )
    expect(code).toBe(2)
    expect(readFileSync(join(folder, 'exam.json'), 'utf8')).toBe('before')
  })
})
