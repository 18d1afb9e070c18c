/** Which refusals of a field the specification shows, by its list of documented facts, for the hints of refused calls. */
import { parseSpec, shownAt } from '../../src/http/schemas/documentedList.ts'
import { DOCUMENTED_LISTS } from '../support/documentedLists.ts'
import type { Subject } from '../support/examples.ts'
import { bodyOf, ITEM, validatorOf, type Field, type Schema } from './requestFields.ts'

/** Checks whether the field, or a part of the request that contains it, is labelled as assumed. */
function isLabelled({ place, path }: Field, { document, route }: Subject): boolean {
  if (place === 'query') {
    const { parameters = [] } = document.paths[route.path]?.[route.method.toLowerCase()] ?? {}
    const parameter = parameters.find((each) => each['in'] === 'query' && each['name'] === path[0])
    return [parameter, parameter?.['schema'] as Schema].some((each) => each?.['x-fidelity'] === 'assumed')
  }
  let schema = bodyOf(document, route.method, route.path)
  const labels = [schema?.['x-fidelity']]
  for (const name of path) {
    schema = name === ITEM ? schema?.items : schema?.properties?.[name]
    labels.push(schema?.['x-fidelity'])
  }
  return labels.includes('assumed')
}

/** By operation and place. */
const parsed = new Map<string, ReturnType<typeof parseSpec>>()

/** A decimal number that only an assumed number of digits refuses. */
const LONG_NUMBER = /^\d{20,}$/

/**
 * Returns whether the refusal of this value must have a hint that it is assumed: undefined if the value breaks rules that
 * are shown and others.
 */
export function mustHint(field: Field, value: unknown, subject: Subject): boolean | undefined {
  if (isLabelled(field, subject)) return true
  const { route } = subject
  const list = DOCUMENTED_LISTS.get(route.interface)
  const spec = list?.operations[`${route.method} ${route.path}`]?.[field.place]
  const path = field.path.map((name) => (name === ITEM ? '0' : name)).join('.')
  const title = `${subject.title} ${field.place}`
  const whole = parsed.get(title) ?? parseSpec(spec, list?.records ?? {})
  parsed.set(title, whole)
  const shown = shownAt(whole, path)
  const rules = [...(shown?.rules ?? []), ...(shown?.bounds ?? [])]
  const words = rules.map((rule) => rule.split(' ')[0] ?? '')
  const isInteger = [field.schema.type].flat().includes('integer') && field.place === 'body'
  const shows = (keyword: string): boolean => {
    if (keyword === 'type') return typeof value !== 'number' || !isInteger || words.includes('integer')
    if (keyword === 'enum')
      return shown?.values.length !== 0 && field.schema['x-assumed-values'] === undefined
    if (keyword === 'required' && whole?.rules.includes('refuses required')) return true
    if (keyword !== 'format' && keyword !== 'pattern') return words.includes(keyword)
    if (rules.includes('format decimal')) return !LONG_NUMBER.test(String(value))
    return words.includes('format') || words.includes('pattern')
  }
  const broken = new Set(value === undefined ? ['required'] : brokenBy(field.schema, value))
  // The missing members of an object are fields themselves.
  if (value !== undefined && broken.has('required')) return undefined
  const assumed = [...broken].filter((keyword) => !shows(keyword))
  return assumed.length === 0 ? false : assumed.length === broken.size ? true : undefined
}

function brokenBy(schema: Schema, value: unknown): string[] {
  const validator = validatorOf(schema)
  validator(value)
  const own = (validator.errors ?? []).filter(({ instancePath }) => instancePath === '')
  // Of several shapes, errors are those of the members.
  return own.some(({ keyword }) => keyword === 'anyOf')
    ? ['type', 'anyOf']
    : own.map(({ keyword }) => keyword)
}
