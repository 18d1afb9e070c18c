/** Searches and reports over a million records, and uploads, each compared with the minimal alternative. */
import type { BareAnswer, BareQuestion } from '../companions/bare-answers.ts'
import { videoOf } from '../../test/support/videos.ts'
import { Companion, residentMemory, scratch } from '../processes.ts'
import type { Row, Target } from '../report.ts'
import { alternate } from '../rounds.ts'
import type { Settings } from '../settings.ts'
import { Simulator } from '../simulator.ts'
import {
  answerOf,
  CONVERSATIONS,
  COUNTED_FROM,
  digits,
  grownFixture,
  instantOf,
  type Grown,
} from '../subjects.ts'

/** Number of calls in one measurement. */
const CALLS = 10

const WITHIN_50_MS: Target = { of: 'figure', limit: 'at most', value: 50 }

/** Consecutive calls of a search or a report, each different within a measurement. */
interface Question {
  readonly what: string
  readonly path: (turn: number) => string
  readonly header: string
  /** None for work that does not block other requests. */
  readonly target?: Target
}

const WORDS = ['desk', 'chair', 'lamp', 'oak', 'order', 'invoice', 'delivery', 'colour', 'warranty', 'school']
const MINUTE = 60_000

const candidates: Grown = {
  section: 'recruiting',
  set: 'candidates',
  copy: (candidate, index) => ({
    ...candidate,
    id: `cand_${digits(index, 20)}`,
    name: `Candidate ${digits(index, 6)}`,
    email: `candidate.${String(index)}@example.com`,
    technicalSkills: [WORDS[index % WORDS.length]],
  }),
}

const playbacks: Grown = {
  section: 'signage',
  set: 'playbacks',
  copy: (playback, index) => ({
    ...playback,
    id: `play_${digits(index, 20)}`,
    playedAt: instantOf(index * MINUTE),
  }),
}

/** Number of messages of a conversation. */
const EACH = 20

const messages: Grown = {
  section: 'conversations',
  set: 'messages',
  copy: (message, index) => ({
    ...message,
    id: String(COUNTED_FROM + index),
    conversationId: String(COUNTED_FROM + Math.floor(index / EACH)),
    content: `${WORDS.map((word, place) => `${word} ${String((index >> place) % 100)}`).join(', ')} ref${digits(index, 5)}`,
  }),
}

const bearer = 'authorization: Bearer demo-key'

export const large = async (settings: Settings): Promise<Row[]> => [
  ...(await measureQuestions(settings, [candidates], settings.records, [
    {
      what: 'candidate search by a piece of a name',
      path: (turn) => `/recruiting/v1/candidates/search?q=${digits(turn, 4)}`,
      header: bearer,
      target: WITHIN_50_MS,
    },
    {
      what: 'candidate search by a skill and a number of years',
      path: (turn) =>
        `/recruiting/v1/candidates/search?skills=${String(WORDS[turn % WORDS.length])}&q=${digits(turn, 2)}`,
      header: bearer,
      target: WITHIN_50_MS,
    },
  ])),
  ...(await measureQuestions(
    settings,
    [playbacks],
    10 * settings.records,
    ['media', 'screen', 'day', 'hour'].map((grouping) => ({
      what: `playback analytics by ${grouping}`,
      path: (turn: number) =>
        `/grid/v1/analytics/playback?group_by=${grouping}&from=${instantOf(turn * 1000)}&to=${instantOf(90 * 24 * 60 * MINUTE)}`,
      header: bearer,
      target: WITHIN_50_MS,
    })),
  )),
  ...(await measureQuestions(settings, [messages, { ...CONVERSATIONS, fewer: EACH }], 10 * settings.records, [
    {
      what: 'message search by a rare word',
      path: (turn) => `/chat/api/v1/accounts/1/conversations/search?q=ref${digits(turn, 5)}`,
      header: 'api_access_token: demo-key',
    },
    {
      what: 'message search by a word of each',
      path: (turn) => `/chat/api/v1/accounts/1/conversations/search?q=${String(WORDS[turn % WORDS.length])}`,
      header: 'api_access_token: demo-key',
    },
  ])),
]

async function measureQuestions(
  settings: Settings,
  grown: readonly [Grown, ...Grown[]],
  count: number,
  questions: readonly Question[],
): Promise<Row[]> {
  const fixture = grownFixture(grown, count)
  const [{ set }] = grown
  const simulator = await Simulator.start(scratch(`${set}.sqlite`), fixture)
  const bare = new Companion<BareQuestion, BareAnswer>('bare-answers')
  const rows: Row[] = []
  for (const { what, path, header, target } of questions) {
    const answers = [await answerOf(simulator, header, { method: 'GET', path: path(0), route: '/*' })]
    const bareUrl = await bare.ask({ answers })
    let turn = 1
    const timed = async (url: string): Promise<number> => {
      const began = performance.now()
      for (let done = 0; done < CALLS; done++) {
        await answerOf({ url }, header, { method: 'GET', path: path(turn++), route: '/*' })
      }
      return (performance.now() - began) / CALLS
    }
    await timed(simulator.url)
    rows.push({
      what: `${what}, ${count.toLocaleString('en')} ${set}`,
      unit: 'ms',
      ...(await alternate(
        { ours: () => timed(simulator.url), theirs: () => timed(bareUrl) },
        settings.rounds,
      )),
      beside: 'bare Fastify',
      ...(target && { target }),
    })
  }
  await Promise.all([simulator.stop(), bare.stop()])
  return rows
}

/** Bytes of an uploaded file. */
const UPLOADED = 100 * 1024 * 1024

/** Uploads a video of 100 MB as a form, compared with writing the same bytes to a file through `pipeline()`. */
export async function upload(settings: Settings, note: (text: string) => void): Promise<Row[]> {
  const simulator = await Simulator.start(scratch('upload.sqlite'), 'demo')
  const bare = new Companion<BareQuestion, BareAnswer>('bare-answers')
  const bareUrl = await bare.ask({ answers: [], uploadsTo: scratch('uploaded') })
  const video = await videoOf('mp4', { seconds: 2, width: 320, height: 200 })
  const before = residentMemory(simulator.child)
  let highest = before
  const watch = setInterval(() => (highest = Math.max(highest, residentMemory(simulator.child))), 50)
  const timed = async (url: string): Promise<number> => {
    const began = performance.now()
    const answer = await fetch(`${url}/grid/v1/media`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer demo-key',
        'content-type': 'multipart/form-data; boundary=bench',
      },
      body: videoForm(video),
      duplex: 'half',
    })
    if (!answer.ok) throw new Error(`an upload failed: ${await answer.text()}`)
    await answer.arrayBuffer()
    return performance.now() - began
  }
  await timed(simulator.url)
  await timed(bareUrl)
  const figures = await alternate(
    { ours: () => timed(simulator.url), theirs: () => timed(bareUrl) },
    settings.rounds,
  )
  clearInterval(watch)
  note(
    `upload: the resident memory of the simulator went from ${before.toFixed(0)} to at most ${highest.toFixed(0)} MB while ${String(settings.rounds + 1)} files of 100 MB came in.`,
  )
  await Promise.all([simulator.stop(), bare.stop()])
  return [{ what: 'upload of 100 MB', unit: 'ms', ...figures, beside: 'pipeline() into a file' }]
}

/** Returns a form with a small video and a `free` box of noise, different for each upload. */
function videoForm(video: Buffer): ReadableStream<Uint8Array> {
  const block = Buffer.alloc(256 * 1024, Math.random().toString(36))
  const box = Buffer.alloc(8)
  box.writeUInt32BE(box.length + UPLOADED)
  box.write('free', 4, 'latin1')
  const head = 'content-disposition: form-data; name='
  const parts = [
    Buffer.from(`--bench\r\n${head}"name"\r\n\r\nVideo\r\n`),
    Buffer.from(`--bench\r\n${head}"file"; filename="a.mp4"\r\ncontent-type: video/mp4\r\n\r\n`),
    video,
    box,
    ...Array.from({ length: UPLOADED / block.length }, () => block),
    Buffer.from('\r\n--bench--\r\n'),
  ]
  return new ReadableStream({
    pull(controller) {
      const part = parts.shift()
      if (part) controller.enqueue(part)
      else controller.close()
    },
  })
}
