/**
 * The steps that follow from those of a scenario: after a change the list is read again, and each value of an enum that
 * a body has is sent in another case.
 */
import { visitPlaces, type Claims } from '../model/claims.ts'
import type { Operation } from '../model/operation.ts'
import type { Step, Scenario } from './scenario.ts'

/**
 * Returns the steps of a scenario with those that follow from them. Values in `tried` are not sent in another case
 * again.
 */
export function withDerived(
  { steps }: Scenario,
  operations: readonly Operation[],
  claims: Claims,
  tried: Set<string>,
): readonly Step[] {
  return steps.flatMap((step) => {
    const operation = operations.find(({ id }) => id === step.operation)
    if (!operation || operation.method === 'GET' || step.refused !== undefined) return [step]
    const list = listAfter(steps, step)
    const root = `${operation.address} body`
    const variants = inOtherLetters(step, root, claims).filter(({ what }) => {
      const key = `${operation.interface} ${what}`
      const isNew = !tried.has(key)
      tried.add(key)
      return isNew
    })
    return [step, ...(list ? [list] : []), ...variants.map((each) => each.step)]
  })
}

/** Returns the step that reads the list of the record that a step changes or deletes; null if nothing lists it. */
function listAfter(steps: readonly Step[], { path = {}, ignored = [] }: Step): Step | null {
  const changed = Object.values(path)
  const find = steps.flatMap(({ creates }) =>
    creates?.find && changed.includes(`{${creates.id}}`)
      ? [{ rows: `{${creates.id}}`, ...creates.find }]
      : [],
  )[0]
  const list = steps.find(
    ({ rows, rowsAt }) => rows !== undefined && rowsAt === undefined && changed.includes(rows),
  )
  // A search for the name of the run finds the record in any state.
  const {
    operation,
    path: at,
    query,
    rows,
  } = (find && JSON.stringify(find.query ?? {}).includes('{run}') ? find : list) ?? find ?? {}
  if (operation === undefined || rows === undefined) return null
  return {
    operation,
    rows,
    ...(at && { path: at }),
    ...(query && { query }),
    ignored: [...(list?.ignored ?? []), ...ignored],
  }
}

/** Returns a step for each value of an enum in a body, which has that value alone in another case. */
function inOtherLetters(step: Step, root: string, claims: Claims): { what: string; step: Step }[] {
  const found: { what: string; step: Step }[] = []
  const { operation, path, query, body, confirms, ignored, file } = step
  visitPlaces(claims, body, root, (value, place, keys) => {
    if (typeof value !== 'string' || claims.at(place, 'value', value) === undefined) return
    const other = otherLetters(value)
    if (other === value) return
    found.push({
      what: `${place} ${value}`,
      step: {
        operation,
        ...(path && { path }),
        ...(query && { query }),
        ...(confirms && { confirms }),
        ...(ignored && { ignored }),
        ...(file && { file }),
        body: replaced(body, keys, other),
      },
    })
  })
  return found
}

const otherLetters = (text: string): string =>
  text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase()

/** Returns a JSON value with another value at a path. */
function replaced(value: unknown, [key, ...rest]: readonly string[], other: string): unknown {
  if (key === undefined) return other
  if (Array.isArray(value))
    return value.map((each, index) =>
      String(index) === key ? replaced(each, rest, other) : (each as unknown),
    )
  const fields = value as Readonly<Record<string, unknown>>
  return { ...fields, [key]: replaced(fields[key], rest, other) }
}
