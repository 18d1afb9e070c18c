/** Reads recordings and HAR files. Both become the same steps. */
import { readFileSync, statSync } from 'node:fs'
import { httpDate } from '../../state/model/clock.ts'
import { UsageError } from '../terminal/problem.ts'
import { harRecording } from './har.ts'
import { isObject, type Members, type Recording } from './recording.ts'

export const FORMAT = 'suite-simulator-recording/1'

/** The maximum size of a file. The server writes at most 16 MiB of snapshot, 32 MiB of steps and the diff. */
const MAX_FILE_BYTES = 128 * 1024 * 1024

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  ENOTDIR: 'the file does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
}

/** Reads a recording or a HAR file. Throws a UsageError that names the file and the place of the error. */
export function readRecording(file: string): Recording {
  const value = parse(file, readBounded(file))
  if (!isObject(value)) throw new UsageError(`${file}: the file must contain a JSON object`)
  if (isObject(value['log'])) return harRecording(file, value['log'])
  if (value['format'] !== FORMAT) {
    throw new UsageError(
      `${file}: format must be "${FORMAT}", from POST /_sim/workspaces/{id}/recordings/{recordingId}/stop, or the file must be a HAR file with a log`,
    )
  }
  checkRecording(file, value)
  return value as unknown as Recording
}

function readBounded(file: string): string {
  try {
    const { size } = statSync(file)
    if (size > MAX_FILE_BYTES) {
      throw new UsageError(
        `${file}: the file has ${String(size)} bytes; a recording has at most ${String(MAX_FILE_BYTES)}`,
      )
    }
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof UsageError) throw error
    const { code = '' } = error as NodeJS.ErrnoException
    throw new UsageError(`cannot read ${file}: ${REASONS[code] ?? code}`)
  }
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${file}: the file must be JSON: ${(error as Error).message}`)
  }
}

const KINDS: ReadonlySet<unknown> = new Set(['call', 'page', 'trigger', 'clock', 'control', 'restart'])
const METHOD = /^[A-Z]{3,10}$/

/** Checks what a replay uses, because people edit files. */
function checkRecording(file: string, recording: Members): void {
  const must = (isRight: boolean, rule: string): void => {
    if (!isRight) throw new UsageError(`${file}: ${rule}`)
  }
  const { workspace, start, steps, end, id, name } = recording
  must(typeof id === 'string' && typeof name === 'string', 'id and name must be texts')
  must(isObject(workspace), 'workspace must be an object')
  const { id: workspaceId, accountId, publicUrl, ids } = workspace as Members
  must(typeof workspaceId === 'string', 'workspace.id must be a text')
  must(
    typeof accountId === 'number' && Number.isSafeInteger(accountId) && accountId > 0,
    'workspace.accountId must be a whole number from 1 on',
  )
  must(
    typeof publicUrl === 'string' && URL.canParse(publicUrl) && /^https?:/.test(publicUrl),
    'workspace.publicUrl must be a URL that starts with http:// or https://',
  )
  must(
    isObject(ids) && typeof ids['seed'] === 'string' && typeof ids['fixed'] === 'string',
    'workspace.ids must have the texts seed and fixed',
  )
  must(isObject(start), 'start must be an object')
  const { at, settings, faults, snapshot } = start as Members
  must(isTime(at), 'start.at must be a time such as 2026-01-31T12:00:00.000Z')
  must(isObject(settings), 'start.settings must be an object')
  must(Array.isArray(faults), 'start.faults must be a list')
  must(isObject(snapshot), 'start.snapshot must be an object')
  must(Array.isArray(steps), 'steps must be a list')
  for (const [index, step] of (steps as unknown[]).entries()) checkStep(step, `steps[${String(index)}]`, must)
  if (end === null) return
  must(isObject(end) && isTime(end['at']), 'end.at must be a time such as 2026-01-31T12:00:00.000Z')
  const { diff, snapshot: last } = end as Members
  must(isObject(last) && typeof last['sha256'] === 'string', 'end.snapshot.sha256 must be a text')
  must(
    isObject(diff) && isObject(diff['summary']) && Array.isArray(diff['data']),
    'end.diff must have the object summary and the list data',
  )
}

const isTime = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value) && !Number.isNaN(httpDate(value))

function checkStep(step: unknown, place: string, must: (isRight: boolean, rule: string) => void): void {
  must(isObject(step), `${place} must be an object`)
  const { kind, at, method, path, headers, form, status, caller, snapshot, settings, now } = step as Members
  must(KINDS.has(kind), `${place}.kind must be one of ${[...KINDS].join(', ')}`)
  must(isTime(at), `${place}.at must be a time such as 2026-01-31T12:00:00.000Z`)
  if (kind === 'restart') return
  must(typeof method === 'string' && METHOD.test(method), `${place}.method must be a method such as POST`)
  must(typeof path === 'string' && /^\/[\x21-\x7e]*$/.test(path), `${place}.path must start with a slash`)
  must(
    isObject(headers) && Object.values(headers).every((value) => typeof value === 'string'),
    `${place}.headers must be an object of texts`,
  )
  must(typeof status === 'number', `${place}.status must be a number`)
  must(
    form === undefined || (Array.isArray(form) && form.every(isField)),
    `${place}.form must be a list of fields`,
  )
  must(
    caller === undefined || isCaller(caller),
    `${place}.caller must have name, user, scopes and interfaces`,
  )
  must(snapshot === undefined || isObject(snapshot), `${place}.snapshot must be an object`)
  must(now === undefined || isTime(now), `${place}.now must be a time such as 2026-01-31T12:00:00.000Z`)
  must(settings === undefined || isObject(settings), `${place}.settings must be an object`)
}

const isField = (field: unknown): boolean =>
  isObject(field) &&
  typeof field['name'] === 'string' &&
  (typeof field['value'] === 'string' ||
    (typeof field['base64'] === 'string' && typeof field['filename'] === 'string'))

const isCaller = (caller: unknown): boolean =>
  isObject(caller) &&
  typeof caller['name'] === 'string' &&
  typeof caller['user'] === 'string' &&
  Array.isArray(caller['scopes']) &&
  Array.isArray(caller['interfaces'])
