/** Errors in files with calls. Each names the file, the line, the entry and the reason. */
import type { Path } from '@suite-sim/kit/text/readYaml'
import type { InitStep } from './steps.ts'

/** The message starts with the file and the line: "20-shop.init.yaml:7: triggers.0: name must be the name of a trigger". */
export class InitError extends Error {}

/** Returns the error of a step. The line is that of the field at `at`, by default of the one that the reason names. */
export function failed(step: InitStep, why: string, at: Path = fieldIn(step.entry, why)): InitError {
  const { file, kind, entry, lineOf } = step
  const line = lineOf ? `:${String(lineOf([...step.at, ...at]))}` : ''
  const title = kind === 'calls' ? titleOf(entry) : ''
  const parts = [file + line, step.at.join('.'), title, why]
  return new InitError(parts.filter((part) => part !== '').join(': '))
}

/** Returns the call of an entry of `calls`; empty unless it has exactly one. */
export function titleOf(entry: Readonly<Record<string, unknown>>): string {
  const [title = '', ...others] = Object.keys(entry).filter((name) => name !== 'as')
  return others.length === 0 ? title : ''
}

/**
 * Returns the path of the longest field that a message names ("email must be ...", "lines.0.price is required"), or else of
 * a field with a value that it names ("There is a workspace shop already.").
 */
export function fieldIn(value: unknown, message: string): Path {
  const words = new Set(message.split(/[^\w.$-]+/).map((word) => word.replace(/[.]$/, '')))
  let named: Path = []
  let withValue: Path = []
  const search = (part: unknown, path: Path): void => {
    if (typeof part !== 'object' || part === null) {
      if (withValue.length === 0 && words.has(String(part))) withValue = path
      return
    }
    for (const [name, inner] of Object.entries(part)) {
      const next = [...path, Array.isArray(part) ? Number(name) : name]
      if (words.has(next.join('.')) && next.length > named.length) named = next
      search(inner, next)
    }
  }
  search(value, [])
  return named.length > 0 ? named : withValue
}
