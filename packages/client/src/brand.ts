/**
 * Makes `instanceof` also true for an object of another copy of the class: a program that requires the library can have a
 * dependency that imports it.
 */
export function brand(type: (abstract new (...values: never[]) => object) & { prototype: object }): void {
  const mark = Symbol.for(`suite-simulator.${type.name}`)
  Object.defineProperty(type.prototype, mark, { value: true })
  Object.defineProperty(type, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      return this === type
        ? typeof value === 'object' && value !== null && mark in value
        : Function.prototype[Symbol.hasInstance].call(this as () => void, value)
    },
  })
}
