/** Writes a recording as a test for pytest, which uses the plugin of the Python client. */
import type { RecordedField, Recording } from '../format/recording.ts'
import {
  ACCOUNT,
  advanceOf,
  needsControl,
  Reference,
  Template,
  USER,
  WORKSPACE,
  type Plan,
  type Statement,
} from './plan.ts'
import { rightsOf } from './vitest.ts'

export function pytestModule(plan: Plan, recording: Recording, file: string): string {
  const { statements, needsSnapshot, startsAt, title, left } = plan
  const needsFile = needsSnapshot || statements.some(({ replacedBy }) => replacedBy !== null)
  const hasFiles = statements.some(({ form }) => form?.some(({ base64 }) => base64 !== undefined) === true)
  const uses = (kind: Statement['kind']): boolean => statements.some((each) => each.kind === kind)
  const hasCuts = statements.some(({ status }) => status === 0)
  const refusesTriggers = statements.some(({ kind, status }) => kind === 'trigger' && status >= 400)
  const lines = [
    '"""Written by suite-sim replay --as pytest. The recorded ids became references to the records of this test."""',
    '',
    ...left.map((reason) => `# ${reason}`),
    ...(hasFiles ? ['import base64'] : []),
    ...(needsFile ? ['import json', 'from pathlib import Path'] : []),
    ...(needsFile || hasFiles ? [''] : []),
    ...(uses('page') || statements.some(needsControl) || hasCuts ? ['import httpx'] : []),
    ...(refusesTriggers || hasCuts ? ['import pytest'] : []),
    ...(refusesTriggers ? ['from suite_simulator import SimulatorError'] : []),
    ...(needsFile
      ? ['', `RECORDING = json.loads((Path(__file__).parent / ${code(file)}).read_text(encoding="utf-8"))`]
      : []),
    '',
    '',
    `def test_${snake(title).slice(0, 80) || 'recording'}(suite_simulator, make_workspace):`,
    needsSnapshot
      ? '    head = {name: RECORDING["start"]["snapshot"][name] for name in ("format", "users", "workspace")}\n    workspace = make_workspace(fixtures=head)'
      : `    workspace = make_workspace(${settingsOf(recording)})`,
    ...(statements.some(needsControl) ? CONTROL_HELPER : []),
    ...(startsAt === null ? [] : [`    workspace.clock.freeze(${code(startsAt)})`]),
    ...(needsSnapshot ? ['    workspace.snapshots.put(RECORDING["start"]["snapshot"])'] : []),
    ...rightsOf(statements).map(
      ({ name, scopes, interfaces }) =>
        `    key_${name} = workspace.keys.create(scopes=${code(scopes)}, interfaces=${code(interfaces)})["key"]`,
    ),
    ...statements.flatMap((each) => ['', ...statementLines(each).map((line) => `    ${line}`)]),
    '',
  ]
  return lines.join('\n').replaceAll(/\n{4,}/g, '\n\n\n')
}

const CONTROL_HELPER = [
  '',
  '    def control(method, path, body=None):',
  '        url = f"{suite_simulator.url}/_sim/workspaces/{workspace.id}{path}"',
  '        headers = {"authorization": f"Bearer {workspace.control_token}"}',
  '        return httpx.request(method, url, headers=headers, json=body, timeout=60)',
  '',
]

const snake = (text: string): string =>
  text
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .split('_')
    .filter((word) => word !== '')
    .join('_')

function settingsOf({ start }: Recording): string {
  const { currency, timezone } = (start?.snapshot['workspace'] ?? {}) as Readonly<Record<string, unknown>>
  return [
    ...(typeof currency === 'string' && currency !== 'USD' ? [`currency=${code(currency)}`] : []),
    ...(typeof timezone === 'string' && timezone !== 'UTC' ? [`timezone=${code(timezone)}`] : []),
  ].join(', ')
}

function statementLines(statement: Statement): string[] {
  const { kind, name, isUsed, method, path, body, status, now, replacedBy } = statement
  const variable = snake(name)
  const moved = now === null ? [] : [`workspace.clock.freeze(${code(now)})`]
  if (replacedBy !== null) {
    return [...moved, `workspace.snapshots.put(RECORDING["steps"][${String(replacedBy)}]["snapshot"])`]
  }
  if (kind === 'trigger') {
    const isEmpty = body === undefined || Object.keys(body as object).length === 0
    const call = `workspace.trigger(${code(path)}${isEmpty ? '' : `, **${code(body)}`})`
    if (status >= 400) {
      return [
        ...moved,
        `with pytest.raises(SimulatorError) as ${variable}:`,
        `    ${call}`,
        `assert ${variable}.value.status == ${String(status)}`,
      ]
    }
    const expected = expectations(statement, variable)
    return [...moved, isUsed || expected.length > 0 ? `${variable} = ${call}` : call, ...expected]
  }
  if (kind === 'page') {
    const sent =
      statement.form !== null
        ? formOptions(statement.form)
        : statement.text === null
          ? ''
          : `, content=${code(statement.text)}, headers={"content-type": "application/x-www-form-urlencoded"}`
    return [
      ...moved,
      `${variable} = httpx.request(${code(method)}, suite_simulator.url + ${code(path)}${sent})`,
      `assert ${variable}.status_code == ${String(status)}`,
    ]
  }
  const duration = advanceOf(statement)
  if (duration !== null) return [...moved, `workspace.clock.advance(${code(duration)})`]
  if (kind === 'control') {
    const sent = body === undefined ? '' : `, ${code(body)}`
    return [
      ...moved,
      `${variable} = control(${code(method)}, ${code(path)}${sent})`,
      `assert ${variable}.status_code == ${String(status)}, ${variable}.text`,
    ]
  }
  const caller = statement.rights ? `workspace.with_key(key_${statement.rights.name})` : 'workspace'
  const call = `${caller}.fetch(${code(statement.interface)}, ${code(path)}, method=${code(method)}${optionsOf(statement)})`
  if (status === 0) return [...moved, 'with pytest.raises(httpx.TransportError):', `    ${call}`]
  return [
    ...moved,
    `${variable} = ${call}`,
    `assert ${variable}.status_code == ${String(status)}, ${variable}.text`,
    ...expectations(statement, `${variable}.json()`),
  ]
}

function optionsOf({ body, text, form, headers }: Statement): string {
  const sent = text === null ? headers : { 'content-type': 'application/json', ...headers }
  return [
    body === undefined ? '' : `, json=${code(body, '    ', 45)}`,
    text === null ? '' : `, content=${code(text)}`,
    form === null ? '' : formOptions(form),
    Object.keys(sent).length === 0 ? '' : `, headers=${code(sent)}`,
  ].join('')
}

/** Returns the fields of a form as files: a text is a file without a name. */
function formOptions(form: readonly RecordedField[]): string {
  const fields = form.map(({ name, value, filename = '', contentType = '', base64 = '' }) =>
    value === undefined
      ? `(${code(name)}, (${code(filename)}, base64.b64decode(${code(base64)}), ${code(contentType)}))`
      : `(${code(name)}, (None, ${code(value)}))`,
  )
  return `, files=[${fields.join(', ')}]`
}

const expectations = ({ expected }: Statement, answer: string): string[] =>
  expected.map((each) => {
    const place = `${answer}${each.path.map((name) => `[${code(name)}]`).join('')}`
    if ('count' in each) return `assert len(${place}) == ${String(each.count)}`
    const isConstant = typeof each.value === 'boolean' || each.value === null
    return `assert ${place} ${isConstant ? 'is' : '=='} ${code(each.value)}`
  })

function expression(reference: Reference): string {
  if (reference === ACCOUNT) return 'workspace.account_id'
  if (reference === USER) return 'workspace.user["id"]'
  if (reference === WORKSPACE) return 'workspace.id'
  return `${snake(reference.of)}.json()${reference.path.map((name) => `[${code(name)}]`).join('')}`
}

/** Returns a value as code, on one line if it is short. */
function code(value: unknown, indent = '    ', longest = 90): string {
  if (value instanceof Reference) return expression(value)
  if (value instanceof Template) {
    // No f-string, because a reference contains quotes, which older versions of Python refuse inside one.
    return value.parts
      .map((part) => (typeof part === 'string' ? code(part) : `str(${expression(part)})`))
      .join(' + ')
  }
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const inner = `${indent}    `
  const isList = Array.isArray(value)
  const entries = isList
    ? value.map((each) => code(each, inner))
    : Object.entries(value).map(([name, each]) => `${code(name)}: ${code(each, inner)}`)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  const line = `${open}${entries.join(', ')}${close}`
  if (line.length <= longest && !line.includes('\n')) return line
  return `${open}\n${entries.map((entry) => `${inner}${entry},`).join('\n')}\n${indent}${close}`
}
