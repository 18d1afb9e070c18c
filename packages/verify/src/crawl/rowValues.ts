/** Values of rows that can be requested. */

/** Returns a scalar as it stands in a query. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

export const camelOf = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())
export const pluralOf = (name: string): string => (name.endsWith('s') ? name.slice(0, -1) : `${name}s`)
export const middle = (values: readonly string[]): string =>
  values.toSorted()[Math.floor(values.length / 2)] ?? ''

/** Returns the values of fields by name, in the rows and one level below, as text. */
export function valuesIn(rows: readonly unknown[], name: RegExp): string[] {
  const values: string[] = []
  const visit = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [field, each] of Object.entries(value)) {
      const items = Array.isArray(each) ? each : [each]
      for (const item of items) {
        if (typeof item === 'object' && item !== null) {
          if (depth === 0) visit(item, 1)
        } else if (name.test(field) && item !== null && item !== '') values.push(textOf(item))
      }
    }
  }
  for (const row of rows) visit(row, 0)
  return values
}

/** Returns a word of the name, title or text of a row. */
export function wordIn(rows: readonly unknown[]): string | undefined {
  const texts = valuesIn(rows.slice(0, 20), /^(?:name|title|nombre|subject|description|descripcion|content)$/)
  return texts.flatMap((text) => /[A-Za-z]{4,}/.exec(text) ?? [])[0]
}
