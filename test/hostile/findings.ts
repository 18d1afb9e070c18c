/** The findings of a run, each with everything needed to reproduce it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bytesOf, type HostileRequest } from './request.ts'

export interface Finding {
  readonly operation: string
  /** The number of the case; null if the finding concerns no single case. */
  readonly number: number | null
  readonly kind: string
  readonly problem: string
  readonly requests: readonly HostileRequest[]
}

/** The number of findings of one kind to print completely. */
const MAX_PRINTED = 2

export class Findings {
  readonly all: Finding[] = []
  readonly #folder: string
  readonly #seed: number
  readonly #bySort = new Map<string, Finding[]>()

  /** `folder` stores the bytes of requests. */
  constructor(folder: string, seed: number) {
    this.#folder = folder
    this.#seed = seed
  }

  add(finding: Finding): void {
    this.all.push(finding)
    const sort = sortOf(finding)
    this.#bySort.set(sort, [...(this.#bySort.get(sort) ?? []), finding])
  }

  /** One paragraph for each kind of finding, the most frequent first. */
  describe(): string[] {
    const sorts = [...this.#bySort].sort(([, a], [, b]) => b.length - a.length)
    return sorts.flatMap(([sort, found]) => {
      const operations = [...new Set(found.map(({ operation }) => operation))]
      const more = operations.length > 1 ? `, ${String(operations.length)} operations` : ''
      return [
        `${String(found.length)} x ${sort}${more}`,
        ...found.slice(0, MAX_PRINTED).flatMap((each) => this.#tell(each)),
        '',
      ]
    })
  }

  #tell({ operation, number, problem, requests }: Finding): string[] {
    const lines = problem.split('\n').map((line) => `    ${line.slice(0, 400)}`)
    if (number === null) return [`  ${operation}`, ...lines]
    const seed = String(this.#seed)
    return [
      `  ${operation}, case ${String(number)}`,
      ...lines,
      `    npm run hostile -- --seed ${seed} --only ${quoted(operation)} --case ${String(number)}`,
      ...requests.map(
        (request, at) => `    ${this.#command(request, `${operation} ${String(number)} ${String(at)}`)}`,
      ),
    ]
  }

  #command(request: HostileRequest, name: string): string {
    const base = join(this.#folder, name.replaceAll(/[^\w.-]+/g, '_'))
    mkdirSync(this.#folder, { recursive: true })
    const { method, target, headers, body, wire } = request
    const isPlain =
      headers.every(([, value]) => /^[\x20-\x7e]{0,500}$/.test(value)) && /^[\x21-\x7e]{1,500}$/.test(target)
    if (wire || !isPlain) {
      writeFileSync(`${base}.bytes`, bytesOf(request, '127.0.0.1:4012'))
      return `curl telnet://127.0.0.1:4012 < ${base}.bytes`
    }
    const words = [
      'curl',
      '--globoff',
      '--path-as-is',
      '-i',
      '-X',
      method,
      quoted(`http://127.0.0.1:4012${target}`),
    ]
    for (const [header, value] of headers) words.push('-H', quoted(`${header}: ${value}`))
    if (body) words.push('--data-binary', bodyWord(body, `${base}.body`))
    return words.join(' ')
  }
}

function bodyWord(body: Buffer, file: string): string {
  const text = body.toString('latin1')
  if (/^[\x20-\x7e]{0,1000}$/.test(text) && !text.startsWith('@')) return quoted(text)
  writeFileSync(file, body)
  return `@${file}`
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Groups findings that probably have the same cause. */
const sortOf = ({ kind, problem }: Finding): string =>
  `${kind}: ${(problem.split('\n')[0] ?? '')
    .replace(/^\w+ .*(?=answered \d+ against)/, '')
    .replace(/(?<=(the answer|was taken): ).*/, '...')
    .replaceAll(/\d+(\.\d+)? (ms|s|MB)\b/g, 'N $2')
    .slice(0, 120)}`
