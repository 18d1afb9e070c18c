/** Writes a recording as a test for Vitest, which uses the library. */
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
  type Rights,
  type Statement,
} from './plan.ts'

// In parts, because the build looks for this name in sources.
const MODULE_URL = ['import', 'meta', 'url'].join('.')

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/

export function vitestModule(plan: Plan, recording: Recording, file: string): string {
  const { statements, needsSnapshot, startsAt, title, left } = plan
  const rights = rightsOf(statements)
  const needsFile = needsSnapshot || statements.some(({ replacedBy }) => replacedBy !== null)
  const uses = (kind: Statement['kind']): boolean => statements.some((each) => each.kind === kind)
  const lines = [
    '// Written by suite-sim replay --as vitest. The recorded ids became references to the records of this test.',
    ...left.map((reason) => `// ${reason}`),
    ...(needsFile ? ["import { readFileSync } from 'node:fs'"] : []),
    "import { connect, startSimulator } from 'suite-simulator'",
    "import { expect, test } from 'vitest'",
    '',
    ...(needsFile
      ? [
          `const recording = JSON.parse(readFileSync(new URL(${text(relativeUrl(file))}, ${MODULE_URL}), 'utf8'))`,
          '',
        ]
      : []),
    `test(${text(title)}, async () => {`,
    '  // A running server, or one in this process.',
    '  const simulator = process.env.SUITE_SIM_URL ? await connect() : await startSimulator()',
    ...(needsSnapshot ? ['  const { format, users, workspace: settings } = recording.start.snapshot'] : []),
    needsSnapshot
      ? '  const workspace = await simulator.workspaces.create({ fixtures: { format, users, workspace: settings } })'
      : `  const workspace = await simulator.workspaces.create(${settingsOf(recording)})`,
    ...(uses('call') ? callHelper(statements) : []),
    ...(statements.some(needsControl) ? CONTROL_HELPER : []),
    ...(uses('page') ? PAGE_HELPER : []),
    ...(statements.some(({ form }) => form !== null) ? FORM_HELPER : []),
    ...(startsAt === null ? [] : [`  await workspace.clock.freeze(${text(startsAt)})`]),
    // After the clock was set: at the time of the test, jobs of the recording would be due.
    ...(needsSnapshot ? ['  await workspace.snapshots.put(recording.start.snapshot)'] : []),
    ...rights.map(
      ({ name, scopes, interfaces }) =>
        `  const key_${name} = await workspace.keys.create({ scopes: ${code(scopes)}, interfaces: ${code(interfaces)} })`,
    ),
    ...statements.flatMap((each) => [
      '',
      ...statementLines(each).map((line) => (line === '' ? '' : `  ${line}`)),
    ]),
    '',
    '  await workspace.delete()',
    '  await simulator.close?.()',
    '})',
    '',
  ]
  return lines.join('\n')
}

/** Returns the settings of the recorded workspace that differ from those of a new one. */
function settingsOf({ start }: Recording): string {
  const { currency, timezone } = (start?.snapshot['workspace'] ?? {}) as Readonly<Record<string, unknown>>
  const settings = {
    ...(typeof currency === 'string' && currency !== 'USD' && { currency }),
    ...(typeof timezone === 'string' && timezone !== 'UTC' && { timezone }),
  }
  return Object.keys(settings).length === 0 ? '' : code(settings)
}

export function rightsOf(statements: readonly Statement[]): Rights[] {
  const byName = new Map(statements.flatMap(({ rights }) => (rights ? [[rights.name, rights] as const] : [])))
  return [...byName.values()]
}

const relativeUrl = (file: string): string => (/^[./]/.test(file) ? file : `./${file}`)

const callHelper = (statements: readonly Statement[]): string[] => [
  '  /** Calls an interface, and returns status and body. */',
  `  const call = async (name, method, path, { json, key, ...options } = {}) => {`,
  `    const caller = key === undefined ? workspace : workspace.withKey(key)`,
  '    const body = json === undefined ? {} : { json }',
  '    const response = await caller.fetch(name, path, { method, ...body, ...options })',
  '    const text = await response.text()',
  `    const isJson = ${statements.some(({ status }) => status === 0) ? "text !== '' && " : ''}response.headers.get('content-type')?.includes('json')`,
  "    return { status: response.status, body: isJson && text !== '' ? JSON.parse(text) : text }",
  '  }',
]

const CONTROL_HELPER = [
  '  /** Calls the control plane of the workspace. */',
  '  const control = async (method, path, json) => {',
  '    const response = await fetch(`${simulator.url}/_sim/workspaces/${workspace.id}${path}`, {',
  '      method,',
  "      headers: { authorization: `Bearer ${workspace.controlToken}`, ...(json && { 'content-type': 'application/json' }) },",
  '      ...(json && { body: JSON.stringify(json) }),',
  '    })',
  '    const text = await response.text()',
  "    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }",
  '  }',
]

const PAGE_HELPER = [
  '  /** Opens a hosted page, or sends its form. */',
  '  const page = async (method, path, body) =>',
  '    fetch(simulator.url + path, {',
  '      method,',
  "      redirect: 'manual',",
  '      ...(body !== undefined && { body: typeof body === "string" ? new URLSearchParams(body) : body }),',
  '    })',
]

const FORM_HELPER = [
  '  /** Returns a form; files have their bytes in base64. */',
  '  const form = (fields) => {',
  '    const data = new FormData()',
  '    for (const { name, value, filename, contentType, base64 } of fields) {',
  '      if (value !== undefined) data.append(name, value)',
  "      else data.append(name, new Blob([Buffer.from(base64, 'base64')], { type: contentType }), filename)",
  '    }',
  '    return data',
  '  }',
]

function statementLines(statement: Statement): string[] {
  const { kind, name, isUsed, method, path, body, status, now, replacedBy } = statement
  const moved = now === null ? [] : [`await workspace.clock.freeze(${text(now)})`]
  if (replacedBy !== null) {
    return [...moved, `await workspace.snapshots.put(recording.steps[${String(replacedBy)}].snapshot)`]
  }
  if (kind === 'trigger') {
    const call = `workspace.trigger(${code(path)}${isEmpty(body) ? '' : `, ${code(body)}`})`
    if (status >= 400)
      return [...moved, `await expect(${call}).rejects.toMatchObject({ status: ${String(status)} })`]
    const expected = expectations(statement, name, [])
    return [
      ...moved,
      isUsed || expected.length > 0 ? `const ${name} = await ${call}` : `await ${call}`,
      ...expected,
    ]
  }
  if (kind === 'page') {
    const sent = statement.form
      ? `, form(${fieldsCode(statement.form)})`
      : statement.text === null
        ? ''
        : `, ${code(statement.text)}`
    return [
      ...moved,
      `const ${name} = await page(${code(method)}, ${code(path)}${sent})`,
      `expect(${name}.status).toBe(${String(status)})`,
    ]
  }
  const duration = advanceOf(statement)
  if (duration !== null) return [...moved, `await workspace.clock.advance(${text(duration)})`]
  if (kind === 'control') {
    const sent = body === undefined ? '' : `, ${code(body)}`
    return [
      ...moved,
      `const ${name} = await control(${code(method)}, ${code(path)}${sent})`,
      `expect(${name}.status).toBe(${String(status)})`,
    ]
  }
  const call = `call(${code(statement.interface)}, ${code(method)}, ${code(path)}${optionsOf(statement)})`
  if (status === 0) return [...moved, `await expect(${call}).rejects.toThrow()`]
  return [
    ...moved,
    `const ${name} = await ${call}`,
    `expect(${name}.status).toBe(${String(status)})`,
    ...expectations(statement, name, ['body']),
  ]
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)

function optionsOf({ body, text: sent, form, headers, rights }: Statement): string {
  const options = [
    ...(body === undefined ? [] : [`json: ${code(body, '  ', 45)}`]),
    ...(sent === null ? [] : [`body: ${code(sent)}`]),
    ...(form ? [`body: form(${fieldsCode(form)})`] : []),
    ...(Object.keys(headers).length === 0 && sent === null
      ? []
      : [`headers: ${code({ ...(sent !== null && { 'content-type': 'application/json' }), ...headers })}`]),
    ...(rights ? [`key: key_${rights.name}.key`] : []),
  ]
  return options.length === 0 ? '' : `, { ${options.join(', ')} }`
}

const fieldsCode = (fields: readonly RecordedField[]): string => code(fields)

/** Returns one expectation for the fields, and one for the length of each list. */
function expectations({ expected }: Statement, name: string, before: readonly string[]): string[] {
  const fields: Tree = Object.create(null) as Tree
  const counts: string[] = []
  for (const each of expected) {
    const path = [...before, ...each.path]
    if ('count' in each) counts.push(`expect(${member(name, path)}).toHaveLength(${String(each.count)})`)
    else put(fields, path, each.value)
  }
  const [root, ...rest] = before
  const tree = root === undefined ? fields : fields[root]
  const isObject = tree !== undefined && !isEmpty(tree)
  return [
    ...(isObject
      ? [`expect(${member(name, root === undefined ? rest : [root])}).toMatchObject(${code(tree)})`]
      : []),
    ...counts,
  ]
}

type Tree = Record<string, unknown>

function put(tree: Tree, [name, ...rest]: readonly (string | number)[], value: unknown): void {
  const key = String(name)
  if (rest.length === 0) tree[key] = value
  else {
    tree[key] ??= Object.create(null) as Tree
    put(tree[key] as Tree, rest, value)
  }
}

const member = (name: string, path: readonly (string | number)[]): string =>
  name +
  path
    .map((each) =>
      typeof each === 'number' ? `[${String(each)}]` : IDENTIFIER.test(each) ? `.${each}` : `[${text(each)}]`,
    )
    .join('')

const text = (value: string): string => {
  const quoted = JSON.stringify(value)
  return quoted.includes("'") || quoted.includes('\\') ? quoted : `'${quoted.slice(1, -1)}'`
}

function expression(reference: Reference): string {
  if (reference === ACCOUNT) return 'workspace.accountId'
  if (reference === USER) return 'workspace.user.id'
  if (reference === WORKSPACE) return 'workspace.id'
  return member(reference.of, ['body', ...reference.path])
}

/** Returns the name of a member. A plain __proto__ would set the prototype. */
const memberName = (name: string): string =>
  name === '__proto__' ? "['__proto__']" : IDENTIFIER.test(name) ? name : text(name)

/** Returns a value as code, on one line if it is short. */
function code(value: unknown, indent = '  ', longest = 90): string {
  if (value instanceof Reference) return expression(value)
  if (value instanceof Template) {
    const parts = value.parts.map((part) =>
      typeof part === 'string' ? part.replaceAll(/[`\\$]/g, '\\$&') : `\${${expression(part)}}`,
    )
    return `\`${parts.join('')}\``
  }
  if (typeof value === 'string') return text(value)
  if (typeof value !== 'object' || value === null)
    return value === undefined ? 'undefined' : JSON.stringify(value)
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const entries = isList
    ? value.map((each) => code(each, inner))
    : Object.entries(value).map(([name, each]) => `${memberName(name)}: ${code(each, inner)}`)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (entries.length === 0) return open + close
  const space = isList ? '' : ' '
  const line = `${open}${space}${entries.join(', ')}${space}${close}`
  if (line.length <= longest && !line.includes('\n')) return line
  return `${open}\n${entries.map((entry) => `${inner}${entry},`).join('\n')}\n${indent}${close}`
}
