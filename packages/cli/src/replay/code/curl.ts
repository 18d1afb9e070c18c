/**
 * Writes a recording as a shell script with curl. A new workspace draws the ids of the recording, so the script contains
 * them.
 */
import { INTERFACES } from '@suite-sim/client/generated/control'
import { printable } from '@suite-sim/kit/terminal/problem'
import type { RecordedField, Recording, Step } from '../format/recording.ts'
import { Places } from '../format/places.ts'
import { planOf, type Statement } from './plan.ts'

export function curlScript(recording: Recording): string {
  const { name, steps, workspace, start } = recording
  const { left, statements } = planOf(recording)
  const byIndex = new Map(statements.map((each) => [each.index, each]))
  return [
    '#!/bin/sh',
    `# ${oneLine(name)}. Written by suite-sim replay --as curl.`,
    '# Usage: SIM_URL=http://127.0.0.1:4012 sh this-script. Set SIM_ADMIN_TOKEN if the server has an admin token.',
    ...left.map((reason) => `# ${reason}`),
    ...HELPERS,
    '',
    'main() {',
    '  open_workspace',
    ...(start
      ? [
          `  clock ${quote(start.at)}`,
          '  snapshot >"$ANSWER.body"',
          '  control PUT "/workspaces/$WORKSPACE/snapshot" -H "Content-Type: application/json" --data-binary "@$ANSWER.body" >"$ANSWER"',
        ]
      : []),
    ...steps.flatMap((step, index) =>
      stepLines(step, index, recording, byIndex.get(index)).map((line) => (line === '' ? '' : `  ${line}`)),
    ),
    '  echo "All answers are as recorded."',
    '}',
    '',
    '# The workspace before its records, which come after its clock was set.',
    "settings() {\n  cat <<'SETTINGS'",
    JSON.stringify({ ...(workspace && { ids: workspace.ids }), fixtures: headOf(recording) }).slice(1),
    'SETTINGS\n}',
    ...(start
      ? [
          '# The records that the recording began with.',
          "snapshot() {\n  cat <<'SNAPSHOT'",
          JSON.stringify(start.snapshot),
          'SNAPSHOT\n}',
        ]
      : []),
    ...steps.flatMap(({ snapshot }, index) =>
      snapshot
        ? [`snapshot_${String(index + 1)}() {\n  cat <<'SNAPSHOT'`, JSON.stringify(snapshot), 'SNAPSHOT\n}']
        : [],
    ),
    '',
    'main',
    '',
  ].join('\n')
}

function headOf({ start }: Recording): unknown {
  if (!start) return 'none'
  const { format, workspace, users } = start.snapshot
  return { format, workspace, users }
}

const oneLine = (text: string): string => printable(text.replaceAll(/\s+/g, ' '))

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const HELPERS = [
  'set -eu',
  'SIM_URL=${SIM_URL:-http://127.0.0.1:4012}',
  'WORKSPACE=replay-$$-$(date +%s)',
  'KEY=$WORKSPACE-key',
  'ACCOUNT=1',
  'ANSWER=$(mktemp)',
  'trap \'delete_workspace; rm -f "$ANSWER" "$ANSWER".*\' EXIT',
  '',
  '# control METHOD PATH [CURL OPTIONS]: calls the control plane.',
  'control() {',
  '  method=$1 path=$2',
  '  shift 2',
  '  curl -sS -X "$method" ${SIM_ADMIN_TOKEN:+-H "Authorization: Bearer $SIM_ADMIN_TOKEN"} "$@" "$SIM_URL/_sim$path"',
  '}',
  '',
  'open_workspace() {',
  '  { printf \'{"id":"%s","key":"%s",\' "$WORKSPACE" "$KEY"; settings; } >"$ANSWER.body"',
  '  control POST /workspaces -H "Content-Type: application/json" --data-binary "@$ANSWER.body" >"$ANSWER"',
  '  ACCOUNT=$(sed -n \'s/.*"accountId":\\([0-9]*\\).*/\\1/p\' "$ANSWER")',
  '  [ -n "$ACCOUNT" ] || { cat "$ANSWER" >&2; exit 1; }',
  '}',
  '',
  'delete_workspace() { control DELETE "/workspaces/$WORKSPACE" >/dev/null || true; }',
  '',
  '# clock TIME: sets the clock of the workspace, and keeps it frozen.',
  'clock() {',
  '  control PUT "/workspaces/$WORKSPACE/clock" -H "Content-Type: application/json" -d "{\\"now\\":\\"$1\\",\\"frozen\\":true}" >/dev/null',
  '}',
  '',
  '# expect STEP STATUS [TEXT...]: checks the status and the body of the last answer.',
  'expect() {',
  '  step=$1 expected=$2',
  '  shift 2',
  '  if [ "$STATUS" != "$expected" ]; then',
  '    echo "$step: the status is $STATUS, not $expected" >&2',
  '    cat "$ANSWER" >&2',
  '    exit 1',
  '  fi',
  '  for text in "$@"; do',
  '    grep -qF -e "$text" "$ANSWER" || { echo "$step: the answer lacks $text" >&2; cat "$ANSWER" >&2; exit 1; }',
  '  done',
  '}',
]

function stepLines(
  step: Step,
  index: number,
  recording: Recording,
  statement: Statement | undefined,
): string[] {
  const {
    kind,
    at,
    method = 'GET',
    path = '/',
    status = 0,
    isBodyMissing,
    snapshot,
    headers = {},
    caller,
  } = step
  const number = String(index + 1)
  if (kind === 'restart' || isBodyMissing === true) return []
  const clock = at === null ? [] : [`clock ${quote(at)}`]
  if (snapshot) {
    return [
      '',
      ...(step.now === undefined ? clock : [`clock ${quote(step.now)}`]),
      `snapshot_${number} >"$ANSWER.body"`,
      `control PUT "/workspaces/$WORKSPACE/snapshot" -H "Content-Type: application/json" --data-binary "@$ANSWER.body" >"$ANSWER"`,
    ]
  }
  const isControl = kind === 'trigger' || kind === 'clock' || kind === 'control'
  const isLimited = caller && !(caller.scopes.includes('*') && caller.interfaces.includes('*'))
  const credential = isControl
    ? ['${SIM_ADMIN_TOKEN:+-H "Authorization: Bearer $SIM_ADMIN_TOKEN"}']
    : kind === 'page'
      ? []
      : [`-H "${credentialOf(step.interface ?? '')}$${isLimited ? `KEY_${caller.name}` : 'KEY'}"`]
  const options = [
    // Brackets in a query are no pattern, and nothing changes the path.
    `curl -sS -g --path-as-is -o "$ANSWER" -w '%{http_code}' -X ${method}`,
    ...credential,
    ...Object.entries(headers)
      .filter(([name]) => name !== 'content-type')
      .map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...bodyOptions(step, number),
  ]
  const url = `"$SIM_URL${shellPath(path, recording)}"`
  return [
    '',
    ...clock,
    ...(isLimited && isFirstOf(recording, index) ? keyLines(step) : []),
    ...fileLines(step.form ?? [], number),
    `STATUS=$(${options.join(' \\\n    ')} \\\n    ${url})${status === 0 ? ' || true' : ''}`,
    status === 0 ? `[ "$STATUS" = 000 ]` : `expect "step ${number}" ${String(status)}${textsOf(statement)}`,
  ]
}

/** True if no earlier step has the key of this one. */
const isFirstOf = ({ steps }: Recording, index: number): boolean =>
  steps.findIndex(({ caller }) => caller?.name === steps[index]?.caller?.name) === index

function keyLines({ caller }: Step): string[] {
  if (!caller) return []
  const body = JSON.stringify({ userId: caller.user, scopes: caller.scopes, interfaces: caller.interfaces })
  return [
    `control POST "/workspaces/$WORKSPACE/keys" -H "Content-Type: application/json" -d ${quote(body)} >"$ANSWER"`,
    `KEY_${caller.name}=$(sed -n 's/.*"key":"\\([^"]*\\)".*/\\1/p' "$ANSWER")`,
  ]
}

function credentialOf(name: string): string {
  const { header } = (INTERFACES as Readonly<Record<string, { readonly header?: string }>>)[name] ?? {}
  return header === undefined ? 'Authorization: Bearer ' : `${header}: `
}

function bodyOptions({ body, text, form, kind, headers = {} }: Step, number: string): string[] {
  if (form) {
    return form.map(({ name, value, filename = '', contentType = '' }, index) =>
      value === undefined
        ? `-F ${quote(`${name}=@`)}"$ANSWER.${number}.${String(index)}"${quote(`;filename="${filename.replaceAll(/["\\]/g, '\\$&')}";type=${contentType}`)}`
        : `--form-string ${quote(`${name}=${value}`)}`,
    )
  }
  if (body === undefined && text === undefined) return []
  const sent = text ?? JSON.stringify(kind === 'clock' ? frozen(body) : body)
  const type = headers['content-type'] ?? 'application/json'
  return [`-H ${quote(`Content-Type: ${type}`)}`, `--data-raw ${quote(sent)}`]
}

/** The clock of the script stays frozen. */
const frozen = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'frozen' in body ? { ...body, frozen: true } : body

const fileLines = (form: readonly RecordedField[], number: string): string[] =>
  form.flatMap(({ base64 }, index) =>
    base64 === undefined
      ? []
      : [`printf %s ${quote(base64)} | base64 -d >"$ANSWER.${number}.${String(index)}"`],
  )

/** Returns a path between double quotes, with the workspace and the account of the script. */
function shellPath(path: string, { workspace }: Recording): string {
  const places = new Places(
    workspace && {
      workspace: [workspace.id, '${WORKSPACE}'],
      account: [String(workspace.accountId), '${ACCOUNT}'],
    },
  )
  return places.inPath(path.replaceAll(/["\\$`]/g, '\\$&'))
}

/** Returns the expected fields as they are in the text of an answer: '"status":"paid"'. */
function textsOf(statement: Statement | undefined): string {
  const texts = (statement?.expected ?? []).flatMap((each) => {
    const name = each.path.at(-1)
    if ('count' in each || typeof name !== 'string' || typeof each.value === 'object') return []
    return [`${JSON.stringify(name)}:${JSON.stringify(each.value)}`]
  })
  return texts.map((text) => ` \\\n    ${quote(text)}`).join('')
}
