/** The page of a report as blocks, which `markdown.ts` and `html.ts` write. */
import { counted, withCommas } from '@suite-sim/kit/text/counted'
import { headlineOf } from '@suite-sim/mutate/report/report'
import type { Confirmed, MutateScore, Question, RunReport, VendorChange } from './runReport.ts'

/** A text in which `…` is code. Everything else in it is plain. */
export type Text = string

export type Block =
  | { readonly kind: 'heading'; readonly level: 1 | 2; readonly text: Text }
  | { readonly kind: 'text'; readonly text: Text }
  | { readonly kind: 'list'; readonly items: readonly Item[]; readonly start?: number }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly Text[])[] }

/** An entry of a list, numbered if the list has a start. */
export interface Item {
  readonly title: Text
  readonly label?: string
  readonly lines: readonly Text[]
}

/** Questions with all their details. The others follow in short. */
const FIRST = 10
/** Questions, notes and rows of a table that a page has. The JSON has all of them. */
const MAX_ROWS = 200
/** Changes of one kind that the score of mutate names. */
const MAX_CHANGES = 10
/** Requests that a question names. */
const MAX_REQUESTS = 5

export const code = (text: string): Text => `\`${text.replaceAll('`', "'")}\``

/** Removes what would begin or end code in a text of the server. */
const plain = (text: string): Text => text.replaceAll('`', "'").replaceAll(/\s+/g, ' ').trim()

export function pageOf(report: RunReport): Block[] {
  const { questions } = report
  const first = questions.slice(0, FIRST)
  const others = questions.slice(FIRST)
  return [
    { kind: 'heading', level: 1, text: 'Before going live' },
    { kind: 'text', text: aboutRun(report) },
    { kind: 'heading', level: 2, text: 'Ask the vendor these questions' },
    { kind: 'text', text: introduction(report) },
    ...(first.length === 0
      ? []
      : [{ kind: 'list' as const, start: 1, items: first.map((each) => wholeItem(each)) }]),
    ...section(
      `Then these: ${counted(others.length, 'more question')}`,
      others.length > 0,
      {
        kind: 'list',
        start: FIRST + 1,
        items: others.slice(0, MAX_ROWS).map((each) => ({
          ...wholeItem(each),
          lines: [`${reasonOf(each.why)} ${metLine(each)}`],
        })),
      },
      ...more(others.length),
    ),
    ...confirmedBlocks(report),
    ...coveredBlocks(report),
    ...scoreBlocks(report),
    ...section(
      'What else the simulator assumes',
      report.notes.length > 0,
      {
        kind: 'text',
        text: 'The specification shows these operations, but leaves details open. Check those that your program needs.',
      },
      {
        kind: 'table',
        head: ['Operation', 'Calls', 'Details'],
        rows: report.notes
          .slice(0, MAX_ROWS)
          .map(({ interface: of, operation, why, calls }) => [
            code(`${of} ${operation}`),
            withCommas(calls),
            plain(why),
          ]),
      },
    ),
  ]
}

const section = (title: string, isShown: boolean, ...blocks: readonly Block[]): Block[] =>
  isShown ? [{ kind: 'heading', level: 2, text: title }, ...blocks] : []

const more = (count: number): Block[] =>
  count > MAX_ROWS
    ? [{ kind: 'text', text: `${counted(count - MAX_ROWS, 'more entry')}: see the JSON.` }]
    : []

function aboutRun({ workspaces, summary, createdAt, version }: RunReport): Text {
  const [first] = workspaces
  const what =
    workspaces.length === 1
      ? `The workspace ${code(first?.id ?? '')} (${plain(first?.name ?? '')})`
      : counted(workspaces.length, 'workspace')
  const forgotten = summary.calls - summary.examined
  const left =
    forgotten > 0
      ? ` The journal has the last ${counted(summary.examined, 'call')} only; the answers of ${counted(forgotten, 'earlier call')} could not be examined.`
      : ''
  return `${what}, ${counted(summary.calls, 'call')}. Made by suite-sim ${version} at ${createdAt}.${left}`
}

function introduction({ questions, summary }: RunReport): Text {
  if (summary.calls === 0 && questions.length === 0)
    return 'The run made no call yet. Run your tests or your program against the workspace first.'
  if (questions.length === 0)
    return 'None: all that the run relied on is in the specification, or was confirmed on the real service.'
  return `The run relied on ${counted(questions.length, 'assumption')} that the specification does not confirm. What costs most if it is wrong comes first: the word after a question says what is at stake.`
}

function wholeItem(question: Question): Item {
  const { why, kind, verified, cost } = question
  const assumed =
    kind === 'reading'
      ? `The simulator assumes: ${plain(why)}`
      : `What the simulator assumes, and why: ${reasonOf(why)}`
  return {
    title: question.question,
    label: cost,
    lines: [
      ...(verified === 'differs'
        ? ['verify found that the real service does otherwise. Change your program.']
        : []),
      ...(verified === 'in part' ? ['verify has confirmed a part of it.'] : []),
      assumed,
      ...sentenceLines(question),
      metLine(question),
      `Where: ${code(placeOf(question))}`,
    ],
  }
}

/** Records and readings have the name of their interface already. */
const placeOf = ({ interface: of, place }: Pick<Question, 'interface' | 'place'>): string =>
  place.startsWith(`${of}.`) ? place : `${of} ${place}`

/** Labels of documented operations begin with the word. */
const reasonOf = (why: string): Text =>
  plain(why).replace(/^Assumed: (.)/, (_all, first: string) => first.toUpperCase())

function sentenceLines({ kind, sentence }: Question): Text[] {
  if (kind === 'reading')
    return [`The specification can be read in more than one way (${plain(sentence ?? '')}).`]
  if (sentence !== null) return [`The specification leaves it open: "${plain(sentence)}"`]
  // The reason says what the specification does not show.
  return []
}

/** Requests of several tests have the names of their tests. */
const hasTests = ([first = '']: readonly string[]): boolean => first.includes(': ')

/** "Your run relied on it 3 times (req_12, req_14, …)." */
function metLine({ count, requests }: Pick<Question, 'count' | 'requests'>): Text {
  const shown = requests.slice(0, MAX_REQUESTS).map(code)
  const rest = requests.length > shown.length || (!hasTests(requests) && count > shown.length) ? ', …' : ''
  const named = shown.length === 0 ? '' : ` (${shown.join(', ')}${rest})`
  return `Your run relied on it ${count === 1 ? 'once' : `${withCommas(count)} times`}${named}.`
}

function confirmedBlocks({ confirmed, verify }: RunReport): Block[] {
  const by = ({ by: from, at }: Confirmed): string =>
    `${from === 'verify' ? 'verify' : 'observed'}, ${at ?? ''}`
  const text = verify
    ? `verify compared ${code(verify.service)} with the simulator and ended at ${verify.at}.`
    : 'No report of `suite-sim verify` was given, which compares the real service with the simulator.'
  return [
    { kind: 'heading', level: 2, text: 'What is confirmed' },
    {
      kind: 'text',
      text:
        confirmed.length === 0
          ? `${text} None of the assumptions of the run is confirmed.`
          : `${text} These assumptions hold on the real service:`,
    },
    ...(confirmed.length === 0
      ? []
      : [
          {
            kind: 'table' as const,
            head: ['Assumption', 'Confirmed', 'Why'],
            rows: confirmed
              .slice(0, MAX_ROWS)
              .map((each) => [code(placeOf(each)), by(each), plain(each.why)]),
          },
        ]),
  ]
}

function coveredBlocks({ covered, summary }: RunReport): Block[] {
  const { operations, transitions, events } = covered
  const share = ({ met, of }: { readonly met: number; readonly of: number }): string =>
    `${withCommas(met)} of ${withCommas(of)}`
  const statusesOf = (statuses: Readonly<Record<string, number>>): string =>
    Object.entries(statuses)
      .map(([status, count]) => `${status}: ${withCommas(count)}`)
      .join(', ')
  return [
    { kind: 'heading', level: 2, text: 'What the run covered' },
    {
      kind: 'text',
      text: `Of the interfaces that it used: ${share(summary.operations)} operations, ${share(summary.transitions)} moves between states, ${share(summary.events)} events.`,
    },
    ...tableOf(
      ['Operation', 'Calls', 'By status'],
      operations.map((each) => [
        code(`${each.interface} ${each.operation}`),
        withCommas(each.calls),
        statusesOf(each.statuses),
      ]),
    ),
    ...tableOf(
      ['Move', 'From', 'To', 'Times'],
      transitions.map((each) => [
        code(`${each.machine} ${each.move}`),
        code(each.from),
        code(each.to),
        withCommas(each.count),
      ]),
    ),
    ...tableOf(
      ['Event', 'Times'],
      events.map((each) => [code(`${each.interface} ${each.event}`), withCommas(each.count)]),
    ),
  ]
}

const tableOf = (head: readonly string[], rows: readonly (readonly Text[])[]): Block[] =>
  rows.length === 0 ? [] : [{ kind: 'table', head, rows: rows.slice(0, MAX_ROWS) }, ...more(rows.length)]

function scoreBlocks({ exams, mutate }: RunReport): Block[] {
  const items: Item[] = [
    ...exams.map(({ examined, passed, of, failed }) => ({
      title: `exam of ${code(examined)}: ${String(passed)} of ${counted(of, 'property')} passed`,
      lines: failed.map((each) => `Failed: ${plain(each)}`),
    })),
    ...(mutate
      ? [
          {
            title: `Would your tests notice if the vendor changed (mutate)? ${headlineOf({ score: mutate })}`,
            lines: changeLines(mutate),
          },
        ]
      : []),
  ]
  return section('How well it was tested', items.length > 0, { kind: 'list', items })
}

function changeLines({ survived, refused, notRun }: MutateScore): Text[] {
  const lines = (title: string, all: readonly VendorChange[]): Text[] => [
    ...all
      .slice(0, MAX_CHANGES)
      .map(
        ({ interface: of, subject, sentence }) =>
          `${title}: ${code(subject === of ? of : `${of} ${subject}`)} ${plain(sentence)}`,
      ),
    ...(all.length > MAX_CHANGES ? [`${title}: and ${withCommas(all.length - MAX_CHANGES)} more`] : []),
  ]
  return [
    ...lines('Would not be noticed', survived),
    ...lines('Harmless, but fails a test', refused),
    ...(notRun > 0 ? [`${counted(notRun, 'change')} did not run.`] : []),
  ]
}
