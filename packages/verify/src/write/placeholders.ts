/** Fills placeholders of scenarios, and takes values from answers. */

/** Values by name. Those of one side are ids of that side. */
export type Values = Readonly<Record<string, unknown>>

const PLACEHOLDER = /\{(\w+)\}/g

/** A placeholder has no value, because an earlier step was left out or refused. */
class MissingValue extends Error {
  override readonly name = 'MissingValue'
}

const valueOf = (values: Values, name: string): unknown => {
  const value = values[name]
  if (value === undefined || value === null) throw new MissingValue(name)
  return value
}

/** Returns a JSON value with its placeholders filled. Throws a MissingValue. */
export function filled(template: unknown, values: Values): unknown {
  if (typeof template === 'string') {
    const [, whole] = /^\{(\w+)\}$/.exec(template) ?? []
    if (whole !== undefined) return valueOf(values, whole)
    return template.replaceAll(PLACEHOLDER, (_, name: string) => String(valueOf(values, name)))
  }
  if (Array.isArray(template)) return template.map((each) => filled(each, values))
  if (typeof template !== 'object' || template === null) return template
  return Object.fromEntries(Object.entries(template).map(([name, each]) => [name, filled(each, values)]))
}

/** Returns parameters with their placeholders filled. */
export const filledTexts = (
  templates: Readonly<Record<string, string>> | undefined,
  values: Values,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(templates ?? {}).map(([name, template]) => [name, String(filled(template, values))]),
  )

/** Returns the value at a place of a JSON value: "data.stages.0.id". */
export function valueIn(body: unknown, place: string): unknown {
  let value = body
  for (const name of place.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}

/** Returns the name of the value instead if an earlier step has no result. */
export function withValues<Result extends object>(make: () => Result): Result | string {
  try {
    return make()
  } catch (error) {
    if (error instanceof MissingValue) return error.message
    throw error
  }
}
