/**
 * Checks what a replay and a written test use of a recording. People edit files and get them from others: no file may
 * reach another workspace, run code or write to the terminal.
 */
import { httpDate } from '@suite-sim/kit/time/instants'
import { UsageError } from '@suite-sim/kit/terminal/problem'
import { isObject, type Members } from './recording.ts'

type Must = (isRight: boolean, rule: string) => void

const KINDS: ReadonlySet<unknown> = new Set(['call', 'page', 'trigger', 'clock', 'control', 'restart'])
const METHOD = /^[A-Z]{3,10}$/

/** The name of a header (RFC 9110, section 5.6.2) and what Node.js sends as its value. */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,200}$/
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

const isText = (value: unknown): value is string => typeof value === 'string'
const isTextOrNone = (value: unknown): boolean => value === undefined || isText(value)
const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText)

/** Texts that the command prints. */
const isLine = (value: unknown): boolean => isText(value) && /^[\x20-\x7e]{1,200}$/.test(value)
const isNameOrNone = (value: unknown): boolean =>
  value === undefined || (isText(value) && /^[\w-]{1,80}$/.test(value))

const isTime = (value: unknown): boolean =>
  isText(value) &&
  /^\d{4}-\d{2}-\d{2}T[\d:.]{1,20}(?:Z|[+-][\d:]{1,5})$/.test(value) &&
  !Number.isNaN(httpDate(value))

const isUrl = (value: unknown): boolean => isText(value) && /^https?:\/\//.test(value) && URL.canParse(value)

const TIME_RULE = 'must be a time such as 2026-01-31T12:00:00.000Z'
const URL_RULE = 'must be a URL that starts with http:// or https://'

export const isMethod = (value: unknown): value is string => isText(value) && METHOD.test(value)

/** True for a header that can be sent. */
export const isHeader = (name: string, value: unknown): value is string =>
  HEADER_NAME.test(name) && isText(value) && HEADER_VALUE.test(value)

export function checkRecording(file: string, recording: Members): void {
  const must: Must = (isRight, rule) => {
    if (!isRight) throw new UsageError(`${file}: ${rule}`)
  }
  const { workspace, start, steps, end, id, name, version, endedBy } = recording
  must(isText(id) && isText(name), 'id and name must be texts')
  must(isLine(version), 'version must be a version such as 1.0.0')
  must(endedBy === null || isLine(endedBy), 'endedBy must be null or the limit that ended the recording')
  must(isObject(workspace), 'workspace must be an object')
  const { id: workspaceId, accountId, publicUrl, ids } = workspace as Members
  must(
    isText(workspaceId) && /^[\w-]{1,64}$/.test(workspaceId),
    'workspace.id must be 1 to 64 letters, digits, hyphens or underscores',
  )
  must(
    typeof accountId === 'number' && Number.isSafeInteger(accountId) && accountId > 0,
    'workspace.accountId must be a whole number from 1 on',
  )
  must(isUrl(publicUrl), `workspace.publicUrl ${URL_RULE}`)
  must(
    isObject(ids) && isText(ids['seed']) && isText(ids['fixed']),
    'workspace.ids must have the texts seed and fixed',
  )
  checkStart(start, must)
  must(Array.isArray(steps), 'steps must be a list')
  for (const [index, step] of (steps as unknown[]).entries()) {
    checkStep(step, `steps[${String(index)}]`, String(workspaceId), must)
  }
  if (end !== null) checkEnd(end, must)
}

function checkStart(start: unknown, must: Must): void {
  must(isObject(start), 'start must be an object')
  const { at, settings, faults, snapshot } = start as Members
  must(isTime(at), `start.at ${TIME_RULE}`)
  must(isObject(settings), 'start.settings must be an object')
  must(Array.isArray(faults) && faults.every(isObject), 'start.faults must be a list of objects')
  must(isObject(snapshot), 'start.snapshot must be an object')
}

function checkEnd(end: unknown, must: Must): void {
  must(isObject(end) && isTime(end['at']), `end.at ${TIME_RULE}`)
  const { diff, snapshot } = end as Members
  must(isObject(snapshot) && isText(snapshot['sha256']), 'end.snapshot.sha256 must be a text')
  must(
    isObject(diff) && isObject(diff['summary']) && Array.isArray(diff['data']),
    'end.diff must have the object summary and the list data',
  )
  for (const [index, change] of ((diff as Members)['data'] as unknown[]).entries()) {
    const place = `end.diff.data[${String(index)}]`
    const { section, id, fields } = isObject(change) ? change : {}
    must(isText(section) && isText(id), `${place} must have the texts section and id`)
    must(
      Array.isArray(fields) && fields.every((field) => isObject(field) && isText(field['path'])),
      `${place}.fields must be a list of objects with a path`,
    )
  }
}

function checkStep(step: unknown, place: string, workspace: string, must: Must): void {
  must(isObject(step), `${place} must be an object`)
  const members = step as Members
  const { kind, at, method, path, headers, form, status, caller, body } = members
  must(KINDS.has(kind), `${place}.kind must be one of ${[...KINDS].join(', ')}`)
  must(isTime(at), `${place}.at ${TIME_RULE}`)
  if (kind === 'restart') return
  must(isMethod(method), `${place}.method must be a method such as POST`)
  checkPath(path, `${place}.path`, kind === 'call' || kind === 'page' ? null : workspace, must)
  must(
    isObject(headers) && Object.entries(headers).every(([name, value]) => isHeader(name, value)),
    `${place}.headers must be an object of headers that HTTP can send`,
  )
  must(isStatus(status), `${place}.status must be 0 or a status from 100 to 599`)
  must(
    form === undefined || (Array.isArray(form) && form.every(isField)),
    `${place}.form must be a list of fields`,
  )
  must(
    caller === undefined || isCaller(caller),
    `${place}.caller must have a name of 1 to 40 letters and digits, a user, and the lists of texts scopes and interfaces`,
  )
  must(
    kind !== 'trigger' || body === undefined || isObject(body),
    `${place}.body must be the object of a trigger`,
  )
  checkOtherMembers(members, place, must)
}

function checkOtherMembers(step: Members, place: string, must: Must): void {
  const { operation, interface: of, origin, isBodyMissing, file, snapshot, settings, now } = step
  must(isNameOrNone(operation) && isNameOrNone(of), `${place}.operation and interface must be names`)
  must(origin === undefined || isUrl(origin), `${place}.origin ${URL_RULE}`)
  for (const name of ['text', 'location', 'answerText']) {
    must(isTextOrNone(step[name]), `${place}.${name} must be a text`)
  }
  for (const [name, value] of Object.entries({ isBodyMissing, file })) {
    must(value === undefined || typeof value === 'boolean', `${place}.${name} must be true or false`)
  }
  must(snapshot === undefined || isObject(snapshot), `${place}.snapshot must be an object`)
  must(now === undefined || isTime(now), `${place}.now ${TIME_RULE}`)
  must(settings === undefined || isObject(settings), `${place}.settings must be an object`)
}

/** Checks a path. The replay sends calls of the control plane with the admin token: only below the workspace. */
function checkPath(path: unknown, place: string, workspace: string | null, must: Must): void {
  must(isText(path) && /^\/[\x21-\x7e]*$/.test(path), `${place} must start with a slash`)
  const [before = ''] = String(path).split(/[?#]/, 1)
  const reached = reachedBy(before)
  if (workspace === null) {
    must(!/^\/+_sim(?:\/|$)/i.test(reached), `${place} must be a path of an interface or a page`)
    return
  }
  const own = `/_sim/workspaces/${workspace}`
  must(
    [before, reached].every((each) => each === own || each.startsWith(`${own}/`)),
    `${place} must be ${own} or a path below it`,
  )
}

/** Returns the path that a server can see: decoded, and without the segments . and .., which clients remove. */
function reachedBy(path: string): string {
  const plain = path.replaceAll(/%[0-7][0-9a-f]/gi, (found) => decodeURIComponent(found))
  return new URL(`http://host${plain.replaceAll(/[?#]/g, '_')}`).pathname
}

export const isStatus = (status: unknown): boolean =>
  status === 0 || (Number.isInteger(status) && Number(status) >= 100 && Number(status) <= 599)

/** True for a field of a form that can be sent, also with curl. */
export const isField = (field: unknown): boolean =>
  isObject(field) &&
  isText(field['name']) &&
  // curl takes what follows an equals sign for a file.
  /^[^\p{Cc}=;]{1,200}$/u.test(field['name']) &&
  (field['contentType'] === undefined || isHeader('content-type', field['contentType'])) &&
  (isText(field['value']) || (isText(field['base64']) && isText(field['filename'])))

const isCaller = (caller: unknown): boolean =>
  isObject(caller) &&
  isText(caller['name']) &&
  // A part of the names of variables.
  /^\w{1,40}$/.test(caller['name']) &&
  isText(caller['user']) &&
  areTexts(caller['scopes']) &&
  areTexts(caller['interfaces']) &&
  (caller['expiresAt'] === undefined || caller['expiresAt'] === null || isTime(caller['expiresAt']))
