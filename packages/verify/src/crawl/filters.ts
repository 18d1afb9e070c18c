/** Calls with a filter: values of closed lists, and values that rows of the list have. */
import type { Exchange, Probe } from '../exchanges/exchange.ts'
import type { Operation, Parameter } from '../model/operation.ts'
import { requiredNames } from './names.ts'
import { MAX_VALUES, valuesOf } from './probes.ts'
import type { Answers } from './answers.ts'
import { camelOf, middle, pluralOf, valuesIn, wordIn } from './rowValues.ts'
import { SEARCHES } from './values.ts'
import { escapeRegExp } from '@suite-sim/kit/text/escaping'

/** Returns a call for each filter of a list, and for each parameter of a report. */
export function* filterProbes(
  operation: Operation,
  of: Exchange | undefined,
  answers: Answers,
): Generator<Probe> {
  if (!of) return
  const list = answers.listOf(operation)
  const rows = answers.rows(of)
  for (const parameter of list ? list.filters : operation.inQuery) {
    const isFixed = requiredNames(operation).has(parameter.name) && valuesOf(parameter).length === 0
    if (isFixed) continue
    for (const value of filterValues(parameter, rows)) {
      const { name } = parameter
      yield {
        ...of.probe,
        query: { ...of.probe.query, [name]: value },
        purpose: list
          ? { kind: 'filter', of, parameter: name, value }
          : { kind: 'variant', of, parameter: name, value },
      }
    }
  }
}

/** Returns values that divide the rows: those of a closed list, or one of a row. */
function filterValues(parameter: Parameter, rows: readonly unknown[]): string[] {
  const closed = valuesOf(parameter)
  const type = parameter.schema['type']
  if (closed.length > 0) return closed
  if (type === 'boolean') return ['true', 'false']
  const { name } = parameter
  if (SEARCHES.test(name)) return [wordIn(rows) ?? []].flat()
  const times = valuesIn(
    rows,
    /^(?:from|.*_from|to|.*_to|before|after)$/.test(name) ? /(?:_at|At|date|fecha)$/ : /$^/,
  )
  if (times.length > 0) return [middle(times)]
  const bound = /^(?:min|max)_(.+)$/.exec(name)?.[1]
  if (bound !== undefined) {
    const numbers = valuesIn(rows, new RegExp(`^${bound}(?:_years)?$`)).map(Number)
    return numbers.length > 0
      ? [String(numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)])]
      : []
  }
  const fields = new RegExp(`^(?:${[name, camelOf(name), pluralOf(name)].map(escapeRegExp).join('|')})$`)
  return [...new Set(valuesIn(rows, fields))].slice(0, Math.min(2, MAX_VALUES))
}
