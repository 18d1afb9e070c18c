/** Checks the values of a file. Every error names the file, the line and the path of the value. */
import { short } from './comparing/short.ts'
import { nearestName } from '@suite-sim/kit/text/nearestName'
import { UsageError } from '@suite-sim/kit/terminal/problem'
import type { Path } from '@suite-sim/kit/text/readYaml'

export interface Source {
  readonly file: string
  /** Undefined for an object, which has no lines. */
  readonly lineOf?: (path: Path) => number
}

/** The fields that an object has, by name. */
export type Fields<Name extends string> = Readonly<Partial<Record<Name, Field>>>

/** A value of a file, with its place. */
export class Field {
  readonly value: unknown
  readonly #source: Source
  readonly #path: Path

  constructor(source: Source, value: unknown, path: Path = []) {
    this.#source = source
    this.value = value
    this.#path = path
  }

  /** Throws an error such as `tasks/refund.yaml:12: changes[0].section must be a text`. */
  fail(rule: string): never {
    const { file, lineOf } = this.#source
    const place = lineOf ? `${file}:${String(lineOf(this.#path))}` : file
    throw new UsageError(`${place}: ${pathText(this.#path)} ${rule}`)
  }

  /** Throws an error with the value and the nearest of the names. */
  failUnknown(what: string, names: readonly string[]): never {
    const nearest = typeof this.value === 'string' ? nearestName(this.value, names) : null
    const hint = nearest === null ? `one of ${names.join(', ')}` : `did you mean ${nearest}?`
    return this.fail(`must be ${what}, not ${short(this.value)}; ${hint}`)
  }

  /** Returns the fields of an object that has no other fields than these. */
  object<Name extends string>(names: readonly Name[]): Fields<Name> {
    const found: Partial<Record<Name, Field>> = {}
    for (const [name, field] of this.entries(200)) {
      const known = names.find((each) => each === name)
      if (known === undefined) {
        const nearest = nearestName(name, names)
        const hint = nearest === null ? `it can have ${names.join(', ')}` : `did you mean ${nearest}?`
        this.fail(`must not have the field ${short(name)}; ${hint}`)
      }
      found[known] = field
    }
    return found
  }

  /** Returns the fields of an object by name. */
  entries(max: number): [string, Field][] {
    if (!isObject(this.value)) return this.fail(`must be an object, not ${short(this.value)}`)
    const entries = Object.entries(this.value)
    if (entries.length > max) this.fail(`must have at most ${String(max)} fields`)
    return entries.map(([name, value]) => [name, new Field(this.#source, value, [...this.#path, name])])
  }

  list(max: number): Field[] {
    if (!Array.isArray(this.value)) return this.fail(`must be a list, not ${short(this.value)}`)
    if (this.value.length > max) this.fail(`must have at most ${String(max)} items`)
    return this.value.map((value, index) => new Field(this.#source, value, [...this.#path, index]))
  }

  text(max = 2000): string {
    if (typeof this.value !== 'string') return this.fail(`must be a text, not ${short(this.value)}`)
    if (this.value.trim() === '' || this.value.length > max) {
      this.fail(`must contain from 1 to ${String(max)} characters`)
    }
    return this.value
  }

  oneOf<Name extends string>(what: string, names: readonly Name[]): Name {
    return names.find((name) => name === this.value) ?? this.failUnknown(what, names)
  }

  integer(min: number, max: number): number {
    const { value } = this
    return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
      ? value
      : this.fail(`must be a whole number from ${String(min)} to ${String(max)}, not ${short(value)}`)
  }

  boolean(): boolean {
    return typeof this.value === 'boolean'
      ? this.value
      : this.fail(`must be true or false, not ${short(this.value)}`)
  }

  /** Returns this field, or throws an error if the object does not have it. */
  must(field: Field | undefined, name: string): Field {
    return field ?? this.fail(`must have the field ${name}`)
  }
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns `changes[2].fields.amount`. */
const pathText = (path: Path): string =>
  path.length === 0
    ? 'the task'
    : path
        .map((part) => (typeof part === 'number' ? `[${String(part)}]` : `.${part}`))
        .join('')
        .slice(1)
