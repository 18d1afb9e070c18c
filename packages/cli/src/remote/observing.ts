/** `suite-sim requests`, `emails`, `records`, `deliveries`: shows the data and the journals of a workspace. */
import { io } from '@suite-sim/kit/terminal/io'
import { counted } from '@suite-sim/kit/text/counted'
import { writeFileSync } from 'node:fs'
import { JOURNAL_LENGTH } from '@suite-sim/client/verifying'
import { paint, print, table } from '@suite-sim/kit/terminal/output'
import { CommandError, UsageError } from '@suite-sim/kit/terminal/problem'
import type { WorkspaceSettings } from '@suite-sim/kit/terminal/settings'
import { pathTo, pathOf, remoteOf } from '@suite-sim/kit/terminal/remote'

/** Filters of a list, by the names of their query parameters. */
export type FilterSettings = WorkspaceSettings &
  Readonly<Partial<Record<(typeof FILTERS)[number], string | number | undefined>>>

const FILTERS = [
  ...[
    'interface',
    'method',
    'path',
    'status',
    'body',
    'caller',
    'event',
    'subscription',
    'to',
    'cursor',
    'limit',
    'wait',
    'count',
  ],
] as const

const queryOf = (settings: FilterSettings): string => {
  const query = new URLSearchParams()
  for (const name of FILTERS) {
    const value = settings[name]
    if (value !== undefined) query.set(name, String(value))
  }
  return query.size === 0 ? '' : `?${query.toString()}`
}

interface Entry {
  readonly id: string
  readonly at: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly durationMs: number
  readonly hintCount: number
}

interface WholeEntry extends Entry {
  readonly hints: readonly { readonly code: string; readonly message: string }[]
  readonly effects: readonly { readonly title: string }[]
}

const paintStatus = (status: number): string =>
  paint(status < 400 ? 'green' : status < 500 ? 'yellow' : 'red', String(status))

/** Filters of the journal of a workspace. The journal of the server does not support them. */
const WORKSPACE_FILTERS = ['interface', 'method', 'path', 'status', 'body', 'caller'] as const

function requestsPath(settings: FilterSettings & { readonly unmatched?: true }): string {
  const query = queryOf(settings)
  if (settings.unmatched !== true) return `${pathOf(settings.workspace)}/requests${query}`
  const unsupported = WORKSPACE_FILTERS.find((name) => settings[name] !== undefined)
  if (unsupported !== undefined) {
    throw new CommandError(
      `--${unsupported} must not be used with --unmatched; use only --limit, --wait and --count`,
    )
  }
  return `/requests?unmatched=true${query.replace('?', '&')}`
}

/** Lists the calls of a workspace; with `unmatched`, the calls that belong to no workspace. */
export async function listRequests(
  settings: FilterSettings & { readonly unmatched?: true; readonly as?: 'har' },
): Promise<void> {
  if (settings.as !== undefined) {
    if (settings.unmatched === true) throw new UsageError('--as must be used without --unmatched')
    const path = requestsPath({ limit: JOURNAL_LENGTH, ...settings })
    const har = await remoteOf(settings).text('GET', `${path}&as=${settings.as}`)
    io().stdout.write(`${har.trimEnd()}\n`)
    return
  }
  const path = requestsPath(settings)
  const answer = await remoteOf(settings).call<{ data: Entry[] }>('GET', path)
  print(settings, answer, () =>
    table(
      ['ID', 'AT', 'STATUS', 'CALL', 'MS', 'HINTS'],
      answer.data.map(({ id, at, status, method, path: of, durationMs, hintCount }) => [
        ...[id, at, String(status), `${method} ${of}`, String(durationMs)],
        hintCount > 0 ? String(hintCount) : '',
      ]),
    ),
  )
}

export async function showRequest(id: string, settings: WorkspaceSettings & { as?: string }): Promise<void> {
  const { workspace, as } = settings
  const path = pathOf(workspace) + pathTo('/requests/{id}', { id })
  if (as !== undefined) {
    const text = await remoteOf(settings).text('GET', `${path}?as=${as}`)
    io().stdout.write(`${text.trimEnd()}\n`)
    return
  }
  const found = await remoteOf(settings).call<WholeEntry>('GET', path)
  print(settings, found, () =>
    [
      `${found.at} ${paintStatus(found.status)} ${found.method} ${found.path} ${String(found.durationMs)} ms`,
      ...found.hints.map(({ code, message }) => `${paint('yellow', 'hint')} ${code}: ${message}`),
      ...found.effects.map(({ title }) => `${paint('cyan', 'effect')} ${title}`),
      JSON.stringify(found, null, 2),
    ].join('\n'),
  )
}

export async function clearRequests(settings: WorkspaceSettings): Promise<void> {
  await remoteOf(settings).call('DELETE', `${pathOf(settings.workspace)}/requests`)
  print(settings, { cleared: true }, () => 'cleared the journal')
}

interface Email {
  readonly id: string
  readonly at: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly attachments: readonly { readonly filename: string; readonly size: number }[]
}

export async function listEmails(settings: FilterSettings): Promise<void> {
  const path = `${pathOf(settings.workspace)}/emails${queryOf(settings)}`
  const answer = await remoteOf(settings).call<{ data: Email[] }>('GET', path)
  print(settings, answer, () =>
    table(
      ['ID', 'AT', 'TO', 'SUBJECT', 'FILES'],
      answer.data.map(({ id, at, to, subject, attachments }) => [
        ...[id, at, to, subject, String(attachments.length)],
      ]),
    ),
  )
}

export async function showEmail(id: string, settings: WorkspaceSettings & { eml?: boolean }): Promise<void> {
  const { workspace, eml = false } = settings
  const remote = remoteOf(settings)
  if (eml) {
    io().stdout.write(await remote.text('GET', pathOf(workspace) + pathTo('/emails/{id}.eml', { id })))
    return
  }
  const found = await remote.call<Email>('GET', pathOf(workspace) + pathTo('/emails/{id}', { id }))
  print(settings, found, () =>
    [
      ...[`To: ${found.to}`, `Date: ${found.at}`, `Subject: ${found.subject}`],
      ...found.attachments.map(
        ({ filename, size }, index) => `File ${String(index)}: ${filename}, ${String(size)} bytes`,
      ),
      '',
      found.text,
    ].join('\n'),
  )
}

/** Saves an attachment to a file, or writes its bytes to standard output. */
export async function saveAttachment(
  id: string,
  index: number,
  settings: WorkspaceSettings & { out?: string },
): Promise<void> {
  const { workspace, out } = settings
  const path = pathOf(workspace) + pathTo('/emails/{id}/attachments/{index}', { id, index: String(index) })
  const bytes = await remoteOf(settings).bytes(path)
  if (out === undefined) {
    io().stdout.write(bytes)
    return
  }
  try {
    writeFileSync(out, bytes)
  } catch (error) {
    throw new CommandError(`cannot write ${out}: ${(error as Error).message}`)
  }
  print(settings, { file: out, size: bytes.length }, () => `saved to ${out}`)
}

interface Section {
  readonly section: string
  readonly title: string
  readonly count: number
}

/** Lists the records of a section; without a section, lists the sections. */
export async function listRecords(section: string | undefined, settings: FilterSettings): Promise<void> {
  const remote = remoteOf(settings)
  const base = `${pathOf(settings.workspace)}/records`
  if (section === undefined) {
    const answer = await remote.call<{ data: Section[] }>('GET', base)
    print(settings, answer, () =>
      table(
        ['SECTION', 'RECORDS', 'TITLE'],
        answer.data.map((each) => [each.section, String(each.count), each.title]),
      ),
    )
    return
  }
  const path = base + pathTo('/{section}', { section }) + queryOf(settings)
  const answer = await remote.call<{ data: object[] }>('GET', path)
  print(settings, answer, () => answer.data.map((each) => JSON.stringify(each)).join('\n'))
}

interface RecordWithMoves {
  readonly record: object
  readonly state: string | null
  readonly moves: readonly { readonly move: string; readonly to: string; readonly by: string }[]
}

export async function showRecord(
  section: string,
  id: string,
  settings: WorkspaceSettings & { until?: string; wait?: number },
): Promise<void> {
  const { workspace, until, wait } = settings
  const query = new URLSearchParams({
    ...(until !== undefined && { until }),
    ...(wait !== undefined && { wait: String(wait) }),
  })
  const path = pathOf(workspace) + pathTo('/records/{section}/{id}', { section, id })
  const found = await remoteOf(settings).call<RecordWithMoves>('GET', `${path}?${query.toString()}`)
  print(settings, found, () =>
    [
      ...(found.state === null ? [] : [paint('cyan', found.state)]),
      ...found.moves.map(({ move, to, by }) => `${move} to ${to}, by ${by}`),
      JSON.stringify(found.record, null, 2),
    ].join('\n'),
  )
}

interface Delivery {
  readonly id: string
  readonly interface: string
  readonly event: string
  readonly url: string
  readonly status: string
  readonly attempts: readonly { readonly status: number | null; readonly error: string | null }[]
}

export async function listDeliveries(settings: FilterSettings): Promise<void> {
  const path = `${pathOf(settings.workspace)}/deliveries${queryOf(settings)}`
  const answer = await remoteOf(settings).call<{ data: Delivery[] }>('GET', path)
  print(settings, answer, () =>
    table(
      ['ID', 'STATUS', 'EVENT', 'ATTEMPTS', 'LAST RESPONSE', 'URL'],
      answer.data.map(({ id, status, interface: of, event, attempts, url }) => {
        const last = attempts.at(-1)
        const response = last ? (last.status === null ? (last.error ?? '') : String(last.status)) : ''
        return [id, status, `${of} ${event}`, String(attempts.length), response, url]
      }),
    ),
  )
}

interface Redelivering extends WorkspaceSettings {
  readonly status?: string
  readonly interface?: string
  readonly event?: string
  readonly since?: string
}

/** Redelivers each delivery, or all that the flags select, with a new retry schedule. Stops at the first error. */
export async function redeliver(ids: readonly string[], settings: Redelivering): Promise<void> {
  const remote = remoteOf(settings)
  const base = pathOf(settings.workspace)
  const { status, interface: of, event, since } = settings
  const filter = { status, interface: of, event, since }
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  if (isFiltered === ids.length > 0) {
    throw new UsageError(
      'redeliver needs ids, or flags that select deliveries, such as --status dead; it does not take both',
    )
  }
  if (isFiltered) {
    const path = `${base}/deliveries/redeliver`
    const { count } = await remote.call<{ count: number }>('POST', path, filter)
    print(settings, { count }, () => `redelivered ${counted(count, 'delivery')}`)
    return
  }
  const paths = ids.map((id) => base + pathTo('/deliveries/{id}/redeliver', { id }))
  for (const path of paths) await remote.call('POST', path)
  print(settings, { redelivered: ids }, () => `redelivered ${ids.join(', ')}`)
}
