/** The matcher `any()`, which matches ids that a test did not choose. */
import { shown } from '@suite-sim/client/matching'

/** A matcher of Vitest, Jest or Playwright, such as `expect.any(String)`, or that of `any()`. */
export interface AnyValue {
  asymmetricMatch(value: unknown): boolean
}

type AnyType = abstract new (...values: never[]) => unknown

const anyValues = new Map<AnyType | undefined, AnyValue>()

/**
 * Returns a matcher of any value except null: of an id that the test did not choose, for example. With a type, of its
 * values: `any(String)`.
 */
export function any(type?: AnyType): AnyValue {
  if (type !== undefined && !isType(type)) {
    throw new TypeError(`any() takes a type, such as any(String); it was ${shown(type)}`)
  }
  // The same object for the same type, because equal expected records are compared once.
  const known = anyValues.get(type)
  if (known) return known
  const text = type === undefined ? 'any()' : `any(${type.name})`
  const made: AnyValue = {
    asymmetricMatch: (value) =>
      type === undefined ? value !== null && value !== undefined : Object(value) instanceof type,
    // What the test runners print in their own messages.
    ...{
      $$typeof: Symbol.for('jest.asymmetricMatcher'),
      toAsymmetricMatcher: () => text,
      toString: () => text,
    },
  }
  anyValues.set(type, made)
  return made
}

/** Arrow functions have no prototype, and `instanceof` refuses them. */
const isType = (value: unknown): boolean =>
  typeof value === 'function' && typeof value.prototype === 'object' && value.prototype !== null
