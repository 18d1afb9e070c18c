/** Equations between numbers of an object: a total of two fields, of the items of a list or the values of a map, or a rate. */

export interface Equation {
  readonly total: string
  /** "amount minus fees" */
  readonly words: string
  /** Returns what the total must be; null if a part is missing. */
  readonly expected: (object: Readonly<Record<string, unknown>>) => number | null
}

/** Objects with different numbers that an equation must explain. */
const MIN_SUPPORT = 3
const MIN_REPORTS = 2

/** Objects with more numbers have too many pairs. */
const MAX_FIELDS = 12

const TOLERANCE = 0.011

/** Names of ids and times, whose sums mean nothing. */
const NO_AMOUNT = /^id$|_id$|Id$|_at$|At$|_since$/

type Numbers = Readonly<Record<string, unknown>>

/** Returns the equations that hold in all objects. */
export function equationsOf(objects: readonly Numbers[]): Equation[] {
  const [first] = objects
  if (!first) return []
  const names = Object.keys(first).filter(
    (name) => !NO_AMOUNT.test(name) && objects.some((each) => numberOf(each[name]) !== null),
  )
  if (names.length > MAX_FIELDS) return []
  return [
    ...differences(names),
    ...itemSums(first, names),
    ...partSums(first, names),
    ...ratios(names),
  ].filter((equation) => isSupported(equation, objects))
}

/** Returns the outcome of an equation; null if the object lacks a part. */
export function holds(
  { total, expected }: Equation,
  object: Numbers,
): { isEqual: boolean; expected: number; actual: number } | null {
  const actual = numberOf(object[total])
  const value = expected(object)
  if (actual === null || value === null) return null
  return { isEqual: Math.abs(actual - value) < TOLERANCE, expected: value, actual }
}

function isSupported(equation: Equation, objects: readonly Numbers[]): boolean {
  const results = objects.map((object) => holds(equation, object)).filter((result) => result !== null)
  if (results.some(({ isEqual }) => !isEqual)) return false
  const different = new Set(results.map(({ actual }) => actual).filter((actual) => actual !== 0))
  return different.size >= (equation.words.startsWith('the') ? MIN_REPORTS : MIN_SUPPORT)
}

/** a = b - c, with all three different from 0 in at least one object, so that nothing follows from empty fields. */
function* differences(names: readonly string[]): Generator<Equation> {
  for (const total of names) {
    for (const from of names) {
      for (const less of names) {
        if (total === from || total === less || from === less) continue
        yield {
          total,
          words: `${from} minus ${less}`,
          expected: (object) => {
            const [a, b] = [numberOf(object[from]), numberOf(object[less])]
            return a === null || b === null || b === 0 ? null : a - b
          },
        }
      }
    }
  }
}

/** A field is the sum of a field of the objects next to it. */
function* partSums(first: Numbers, names: readonly string[]): Generator<Equation> {
  const parts = Object.keys(first).filter((name) => isContainer(first[name]) && !Array.isArray(first[name]))
  const fields = new Set(parts.flatMap((name) => Object.keys(first[name] as object)))
  if (parts.length < 2) return
  for (const total of names) {
    for (const field of fields) {
      yield {
        total,
        words: `the sum of ${field} of ${parts.join(', ')}`,
        expected: (object) => {
          const values = parts.map((name) => numberOf((object[name] as Numbers | null | undefined)?.[field]))
          const known = values.filter((value) => value !== null)
          return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
        },
      }
    }
  }
}

/** Names of fields that divide one number by another. */
const QUOTIENT = /(?:^|_)(?:rate|ratio|average|avg|per|percent)(?:_|$)/

const DECIMALS = [0, 1, 2] as const

/** A rate is a number divided by another one, or by the sum of both, as a fraction or in percent, and rounded. */
function* ratios(names: readonly string[]): Generator<Equation> {
  for (const total of names.filter((name) => QUOTIENT.test(name))) {
    for (const part of names) {
      for (const other of names) {
        if (part === total || other === total || part === other) continue
        for (const isSum of [false, true]) {
          for (const scale of [1, 100]) {
            for (const decimals of DECIMALS) {
              yield {
                total,
                words: `${part} by ${other}${isSum ? ` and ${part}` : ''}${scale === 100 ? ' in percent' : ''}`,
                expected: (object) => {
                  const [a, b] = [numberOf(object[part]), numberOf(object[other])]
                  if (a === null || b === null) return null
                  const divisor = isSum ? a + b : b
                  const factor = 10 ** decimals
                  return divisor === 0 ? null : Math.round((a / divisor) * scale * factor) / factor
                },
              }
            }
          }
        }
      }
    }
  }
}

/** A field is the sum of a field of items, or their number. */
function* itemSums(first: Numbers, names: readonly string[]): Generator<Equation> {
  for (const [list, value] of Object.entries(first)) {
    const [item] = itemsOf(value)
    if (item === undefined) continue
    const fields = Object.keys(isContainer(item) ? (item as Numbers) : {}).filter(
      (name) => !NO_AMOUNT.test(name),
    )
    for (const total of names) {
      yield {
        total,
        words: `the number of ${list}`,
        expected: (object) => (isContainer(object[list]) ? itemsOf(object[list]).length : null),
      }
      for (const field of fields) {
        yield {
          total,
          words: `the sum of ${field} of ${list}`,
          expected: (object) => (isContainer(object[list]) ? sumOf(itemsOf(object[list]), field) : null),
        }
      }
      if (typeof item === 'number') {
        yield {
          total,
          words: `the sum of ${list}`,
          expected: (object) =>
            isContainer(object[list])
              ? itemsOf(object[list]).reduce<number>((sum, each) => sum + (numberOf(each) ?? 0), 0)
              : null,
        }
      }
    }
  }
}

const isContainer = (value: unknown): boolean => typeof value === 'object' && value !== null

const itemsOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : isContainer(value) ? Object.values(value as object) : []

function sumOf(items: readonly unknown[], field: string): number | null {
  let sum = 0
  for (const item of items) {
    const value = numberOf((item as Numbers | null)?.[field])
    if (value === null) return null
    sum += value
  }
  return sum
}

/** Returns a number, or that of a decimal text. */
function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : null
}
