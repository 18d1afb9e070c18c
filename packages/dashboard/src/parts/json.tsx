/** Shows indented JSON with syntax colors and with links from ids to their records, truncated if it is very long. */
import { Copy } from './common.tsx'
import { findAddress, isRecordId } from './recordLinks.tsx'

const MAX_CHARACTERS = 200_000

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g

export function Json({ value, label }: { value: unknown; label: string }) {
  const whole = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  const text = whole.slice(0, MAX_CHARACTERS)
  return (
    <figure class="json">
      <figcaption>
        <span>{label}</span>
        <Copy text={whole} what={label.toLowerCase()} />
      </figcaption>
      <pre tabIndex={0} role="group" aria-label={label}>
        <code>{typeof value === 'string' ? text : colorize(text)}</code>
      </pre>
      {text.length < whole.length && (
        <p>{whole.length - text.length} more characters are hidden. Copy includes all of them.</p>
      )}
    </figure>
  )
}

/** The maximum number of links. */
const MAX_LINKS = 500

function colorize(text: string) {
  const parts = []
  let from = 0
  let name = ''
  let links = 0
  for (const found of text.matchAll(TOKEN)) {
    parts.push(text.slice(from, found.index))
    const [token, string, colon] = found
    const kind = string === undefined ? 'literal' : colon === undefined ? 'string' : 'name'
    if (string !== undefined && colon !== undefined) name = valueOf(string)
    const value = colon === undefined ? valueOf(string ?? token) : ''
    const isLink = value !== '' && links < MAX_LINKS && isRecordId(name, value)
    if (isLink) links++
    parts.push(
      <span class={kind}>
        {isLink ? <a href={findAddress(value)}>{string ?? token}</a> : (string ?? token)}
      </span>,
      colon,
    )
    from = found.index + token.length
  }
  parts.push(text.slice(from))
  return parts
}

/** Returns a string without its quotation marks, and a whole number. Other values can be no ids. */
const valueOf = (token: string): string =>
  /^"([^"\\]*)"$/.exec(token)?.[1] ?? (/^\d+$/.test(token) ? token : '')
