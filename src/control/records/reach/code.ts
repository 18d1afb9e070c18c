/** Writes the steps of a way as code: a call with curl, and one of the library. */
import { durationMs } from '@suite-sim/kit/time/instants'
import type { SentValue } from '../../../state/model/ways.ts'
import type { Message } from './messages.ts'
import { partsOf, plain, valueOf, type Answers, type Reference } from './references.ts'

/** The lines of a step. Both refer to answers of the steps before by their names. */
export interface Code {
  readonly curl: string
  readonly code: string
}

/** Returns the code of a step. `used` is what later steps take from its answer. */
export const codeOf = (message: Message, used: readonly Reference[], answers: Answers): Code => ({
  curl: curlOf(message, used, answers),
  code: libraryOf(message, used.length > 0),
})

// ---------------------------------------------------------------- library

function libraryOf(message: Message, isUsed: boolean): string {
  const { step } = message
  const { as, csv } = step
  const assigned = isUsed ? `const ${as} = ` : ''
  if (message.kind !== 'call') {
    const { trigger = '', clock = '' } = step
    const body = message.body && Object.keys(message.body).length > 0 ? `, ${literal(message.body)}` : ''
    const call =
      message.kind === 'trigger'
        ? `trigger(${quoted(trigger)}${body})`
        : step.isReading
          ? 'clock.get()'
          : `clock.advance(${quoted(clock)})`
    return `${assigned}await workspace.${call}`
  }
  const lines: string[] = []
  const options: string[] = []
  if (message.method !== 'POST' || message.body === undefined || csv !== undefined)
    options.push(`method: ${quoted(message.method)}`)
  if (csv !== undefined) {
    lines.push(
      'const sent = new FormData()',
      `sent.append('file', new Blob([${quoted(csv)}], { type: 'text/csv' }), 'reach.csv')`,
    )
    for (const [name, value] of Object.entries(message.body ?? {}))
      lines.push(`sent.append(${quoted(name)}, ${quoted(plain(value))})`)
    options.push('body: sent')
  } else if (message.body) options.push(`json: ${literal(message.body)}`)
  const call = `workspace.fetch(${quoted(step.interface)}, ${literal(message.path)}, { ${options.join(', ')} })`
  return [...lines, isUsed ? `${assigned}await (await ${call}).json()` : `await ${call}`].join('\n')
}

function literal(value: SentValue): string {
  if (typeof value === 'string') {
    const parts = partsOf(value)
    const [first = ''] = parts
    if (parts.length === 1) return typeof first === 'string' ? quoted(first) : expression(first)
    const texts = parts.map((part) =>
      typeof part === 'string' ? part.replaceAll(/[`\\$]/g, '\\$&') : `\${${expression(part)}}`,
    )
    return `\`${texts.join('')}\``
  }
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return `[${value.map((each: SentValue) => literal(each)).join(', ')}]`
  const fields = Object.entries(value).map(
    ([name, each]) => `${/^[A-Za-z_]\w*$/.test(name) ? name : quoted(name)}: ${literal(each)}`,
  )
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}

function expression({ name, path, plus, parameter }: Reference): string {
  const member = [name, ...path].join('.')
  if (plus !== undefined)
    return `new Date(Date.parse(${member}) + ${String(durationMs(plus) ?? 0)}).toISOString()`
  return parameter === undefined ? member : `new URL(${member}).searchParams.get(${quoted(parameter)})`
}

const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

// ---------------------------------------------------------------- curl

function curlOf(message: Message, used: readonly Reference[], answers: Answers): string {
  const { body, method, url, header } = message
  const { as, csv } = message.step
  const credential =
    header === null
      ? '${SIM_ADMIN_TOKEN:+-H "Authorization: Bearer $SIM_ADMIN_TOKEN"}'
      : `-H "${header === 'authorization' ? 'Authorization: Bearer ' : `${header}: `}$KEY"`
  const sent =
    csv !== undefined
      ? [
          "-F 'file=@-;filename=reach.csv;type=text/csv'",
          ...Object.entries(body ?? {}).map(([name, value]) => `-F ${single(`${name}=${plain(value)}`)}`),
        ]
      : body
        ? ["-H 'Content-Type: application/json'", `-d '${json(body, answers)}'`]
        : []
  const input = csv === undefined ? '' : `printf ${single(JSON.stringify(csv).slice(1, -1))} | `
  const place = partsOf(url).map((part) => (typeof part === 'string' ? part : variable(part)))
  const call = [`${input}curl -sSf -X ${method} "$SIM_URL${place.join('')}"`, credential, ...sent].join(
    ' \\\n  ',
  )
  const [first, ...others] = used
  if (!first) return call
  if (others.length === 0) return `${nameOf(first)}=$(${call} | jq -r ${single(filter(first))})`
  return [
    `${as}=$(${call})`,
    ...used.map((each) => `${nameOf(each)}=$(printf %s "$${as}" | jq -r ${single(filter(each))})`),
  ].join('\n')
}

/** Returns JSON between single quotes, with variables of the shell between its parts. */
function json(value: SentValue, answers: Answers): string {
  if (typeof value === 'string') {
    const parts = partsOf(value)
    const [first = ''] = parts
    const isNumber =
      parts.length === 1 && typeof first !== 'string' && typeof valueOf(first, answers) === 'number'
    const text = parts.map((part) =>
      typeof part === 'string' ? jsonText(part).slice(1, -1) : `'"${variable(part)}"'`,
    )
    return isNumber ? text.join('') : `"${text.join('')}"`
  }
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return `[${value.map((each: SentValue) => json(each, answers)).join(',')}]`
  const fields = Object.entries(value).map(([name, each]) => `${jsonText(name)}:${json(each, answers)}`)
  return `{${fields.join(',')}}`
}

/** Returns the JSON of a text between single quotes. */
const jsonText = (text: string): string => JSON.stringify(text).replaceAll("'", "'\\''")

const single = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Returns the name of the variable of a reference: "link_data_id". */
const nameOf = ({ name, path, plus, parameter }: Reference): string =>
  [name, ...path, plus, parameter].filter((each) => each !== undefined).join('_')

const ENVIRONMENT: Readonly<Record<string, string>> = { accountId: '$ACCOUNT', id: '$WORKSPACE' }

const variable = (reference: Reference): string =>
  (reference.name === 'workspace' ? ENVIRONMENT[reference.path.join('.')] : undefined) ??
  `$${nameOf(reference)}`

/** Returns the filter of jq that takes a reference from an answer. */
function filter({ path, plus, parameter }: Reference): string {
  const member = `.${path.join('.')}`
  if (plus !== undefined)
    return `${member}[:19] + "Z" | fromdate + ${String((durationMs(plus) ?? 0) / 1000)} | todate`
  return parameter === undefined ? member : `${member} | split("${parameter}=")[1] | split("&")[0]`
}
