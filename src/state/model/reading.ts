/**
 * Readings: places where the specification contradicts itself, or leaves two customary answers. Each is declared as data
 * next to the code that follows it. A workspace chooses an alternative; a server has defaults.
 */

export interface Reading<Name extends string = string, Value extends string = string> {
  /** "payments.refund_event" */
  readonly name: Name
  readonly title: string
  /** Its section of the specification: `part 2, "Errors"`. */
  readonly section: string
  /** The default first. */
  readonly alternatives: readonly { readonly value: Value; readonly title: string }[]
  readonly default: Value
}

/** The chosen values by name. A reading that is missing has its default. */
export type ChosenReadings = Readonly<Record<string, string | undefined>>

/** A chosen reading that does not exist; the message says what is wrong. */
export class ReadingError extends Error {
  override readonly name = 'ReadingError'
}

/** Declares a reading. `alternatives` has a title for each value. */
export function reading<const Name extends string, const Value extends string>({
  alternatives,
  ...declared
}: Pick<Reading<Name>, 'name' | 'title' | 'section'> & {
  readonly default: NoInfer<Value>
  readonly alternatives: Readonly<Record<Value, string>>
}): Reading<Name, Value> {
  const values = Object.keys(alternatives) as Value[]
  const others = values.filter((value) => value !== declared.default)
  return {
    ...declared,
    alternatives: [declared.default, ...others].map((value) => ({ value, title: alternatives[value] })),
  }
}

/** Returns the alternative that applies: that of the first choice that has one. */
export function chosenIn<Value extends string>(
  { name, alternatives, default: fallback }: Reading<string, Value>,
  ...choices: readonly ChosenReadings[]
): Value {
  const chosen = choices.map((choice) => choice[name]).find((value) => value !== undefined)
  // Another version of the program may have had other values.
  return alternatives.find(({ value }) => value === chosen)?.value ?? fallback
}

/** A reading and the alternative under which something holds. */
export interface ReadingCondition {
  readonly reading: Reading
  readonly is: string
}

/** Returns a condition: a reading has this value. */
export const under = <Value extends string>(
  reading: Reading<string, Value>,
  is: NoInfer<Value>,
): ReadingCondition => ({ reading, is })

/** What decides which alternative applies: a workspace, or the server for calls without one. */
export interface ReadingChooser {
  reading<Value extends string>(of: Reading<string, Value>): Value
}

/**
 * Returns the hint about a refusal that follows a reading: the alternatives, and how to choose another one. Calls without a
 * workspace follow the server.
 */
export function readingHint(
  { name, alternatives }: Reading,
  chosen: string,
  hasWorkspace: boolean,
): { code: string; message: string } {
  const titled = alternatives.map(({ value, title }) => `${value}: ${title}`)
  const other = alternatives.find(({ value }) => value !== chosen)?.value ?? ''
  const way = hasWorkspace
    ? `PATCH /_sim/workspaces/{id} with {"readings":{"${name}":"${other}"}} changes it.`
    : `Start the server with --readings ${name}=${other} to change it.`
  return {
    code: 'reading',
    message: `The specification can be read in several ways, and this answer follows the reading ${name} = ${chosen}. ${titled.join(' ')} ${way}`,
  }
}
