/** Checks arguments of callers whose programs have no types: a misspelled option would have no effect. */
import { counted } from '@suite-sim/kit/text/counted'
import { nearestName } from '@suite-sim/kit/text/nearestName'

/** Throws a TypeError if an option is unknown; names the nearest. `call` is the call in messages: "connect()". */
export function checkOptions(call: string, options: unknown, names: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new TypeError(`${call} takes an object of options: ${names.join(', ')}`)
  }
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue
    const near = nearestName(name, names)
    const hint = near === null ? '' : `; did you mean ${near}?`
    throw new TypeError(`${call} has no option ${name}${hint}; its options are ${names.join(', ')}`)
  }
}

type Method = (...values: unknown[]) => unknown

/** Makes async methods refuse more arguments than these counts. `of` is the object in messages: "records". */
export function limitArguments<Of extends object>(
  of: string,
  target: Of,
  counts: Readonly<Partial<Record<keyof Of & string, number>>>,
): void {
  const methods = target as Record<string, Method>
  for (const [name, count] of Object.entries(counts) as [string, number][]) {
    const method = methods[name]
    if (!method) throw new Error(`${of} has no method ${name}`)
    const limited: Method = function (this: unknown, ...values) {
      const error = surplusError(`${of}.${name}()`, count, values)
      return error ? Promise.reject(error) : method.apply(this, values)
    }
    Object.defineProperty(target, name, { value: limited, writable: true, configurable: true })
  }
}

function surplusError(call: string, count: number, values: readonly unknown[]): TypeError | null {
  const surplus = values.slice(count).find((each) => each !== undefined)
  if (surplus === undefined) return null
  const [option] = typeof surplus === 'object' && surplus !== null ? Object.keys(surplus) : []
  const what = option === undefined ? '' : `; it has no option ${option}`
  const limit = count === 0 ? 'no arguments' : `${counted(count, 'argument')} at most`
  return new TypeError(`${call} takes ${limit}${what}`)
}
