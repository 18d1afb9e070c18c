/** The answers of named calls of one file (`as: ana`), and the references to them: `${ana.id}`. */
import { nearestName } from '@suite-sim/kit/text/nearestName'
import type { Path } from '@suite-sim/kit/text/readYaml'
import { failed, titleOf } from './errors.ts'
import { isObject, type InitStep } from './steps.ts'

/** A second dollar sign stands for the text itself: `$${ana.id}` becomes `${ana.id}`. */
const REFERENCE = /\$?\$\{([^{}]*)\}/g

export class Answers {
  readonly #byName: Record<string, unknown> = {}

  has(name: string): boolean {
    return Object.hasOwn(this.#byName, name)
  }

  set(name: string, answer: unknown): void {
    this.#byName[name] = answer
  }

  /** Returns a value of a step with the referenced values. A text that is one reference becomes the value itself. */
  fill(step: InitStep, value: unknown, path: Path): unknown {
    if (typeof value === 'string') {
      const [whole, reference = ''] = [...value.matchAll(REFERENCE)][0] ?? []
      const isReference = whole === value && !value.startsWith('$$')
      return isReference ? this.#at(step, reference, path) : this.#fillText(step, value, path, String)
    }
    if (Array.isArray(value)) return value.map((each, index) => this.fill(step, each, [...path, index]))
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, this.fill(step, each, [...path, name])]),
    )
  }

  fillPath(step: InitStep, path: string): string {
    return this.#fillText(step, path, [titleOf(step.entry)], (value) => encodeURIComponent(String(value)))
  }

  #fillText(step: InitStep, text: string, path: Path, encode: (value: unknown) => string): string {
    return text.replaceAll(REFERENCE, (whole, reference: string) =>
      whole.startsWith('$$') ? whole.slice(1) : encode(this.#at(step, reference, path)),
    )
  }

  #at(step: InitStep, reference: string, path: Path): unknown {
    let found: unknown = this.#byName
    const known: string[] = []
    for (const field of reference.split('.')) {
      if (typeof found !== 'object' || found === null || !Object.hasOwn(found, field)) {
        const nearest = nearestName(field, Object.keys(found ?? {}))
        const instead = nearest === null ? '' : `; did you mean \${${[...known, nearest].join('.')}}?`
        throw failed(
          step,
          `\${${reference}} must name a field in the answer of an earlier call with "as"${instead}`,
          path,
        )
      }
      found = (found as Readonly<Record<string, unknown>>)[field]
      known.push(field)
    }
    return found
  }
}
