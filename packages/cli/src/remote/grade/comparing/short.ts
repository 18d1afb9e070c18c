/** Values in messages. */

const JSON_LENGTH = 60

/** Returns a value as short JSON. */
export function short(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length <= JSON_LENGTH ? text : `${text.slice(0, JSON_LENGTH)}…`
}
