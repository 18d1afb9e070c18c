/** Parsers of the values that commands take. */
import { InvalidArgumentError } from 'commander'
import { parseHttpUrl, repeatable } from '@suite-sim/kit/terminal/flags'

/**
 * Parses one value of `--label`, which can be repeated, such as "team:checkout". The server checks the names and values. A
 * name with two values would lose one, and a deletion would find more workspaces.
 */
export function parseLabel(
  value: string,
  labels: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const [, name, rest] = /^([^:]+):(.+)$/.exec(value) ?? []
  if (name === undefined || rest === undefined) {
    throw new InvalidArgumentError('It must be name:value; several with one --label each.')
  }
  if (Object.hasOwn(labels, name)) throw new InvalidArgumentError('It must contain each name once.')
  return { ...labels, [name]: rest }
}

export function parseSeconds(value: string): number {
  const number = Number(value)
  if (!/^\d+(?:\.\d+)?$/.test(value) || number > 300) {
    throw new InvalidArgumentError('It must be a number of seconds, at most 300.')
  }
  return number
}

/** Parses the time that a receiver has for an answer. */
export function parseAnswerSeconds(value: string): number {
  const seconds = Number(value)
  if (!/^\d+(?:\.\d+)?$/.test(value) || seconds < 1 || seconds > 60) {
    throw new InvalidArgumentError('It must be 1 to 60 seconds.')
  }
  return seconds
}

/** Parses the URL of a receiver. It may have a query, such as a token. */
export function parseReceiver(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new InvalidArgumentError('It must be a URL that starts with http:// or https://.')
  }
  if (url.username || url.password) throw new InvalidArgumentError('It must have no user or password.')
  return url.href
}

/** Parses where the work of a receiver is visible. */
export const parseObserved = (value: string): string => (value === 'workspace' ? value : parseReceiver(value))

export function parseInteger(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(value)
}

/** Parses URLs that are separated by commas. */
export const parseHttpUrls = repeatable((value) => value.split(',').map((url) => parseHttpUrl(url.trim())))

/** Parses names that are separated by commas. */
export const parseNames = repeatable((value) => {
  const list = value.split(',').map((name) => name.trim())
  if (list.includes('')) throw new InvalidArgumentError('It must be names, separated by commas.')
  return list
})
