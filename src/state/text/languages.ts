/** Texts for people: on pages and in e-mails, in each language that these speak. */

export const LANGUAGES = ['en', 'es'] as const

export type Language = (typeof LANGUAGES)[number]

/** A text in each language. It is made when it is shown, so its amounts and dates are formatted for one language. */
export type Spoken = (language: Language) => string

/** What a person wrote, which is the same in each language, or a text of the simulator. */
export type Text = string | Spoken

export const textIn = (text: Text, language: Language): string =>
  typeof text === 'string' ? text : text(language)

/** Joins texts: say`${heading} – ${name}`. */
export const say =
  (pieces: TemplateStringsArray, ...parts: readonly Text[]): Spoken =>
  (language) =>
    String.raw({ raw: pieces }, ...parts.map((part) => textIn(part, language)))

type Sentence = (...parts: string[]) => string

/** The texts of one language by name: sentences, sentences with parts, and tables of these. */
interface Table {
  readonly [name: string]: string | Sentence | Table
}

/** The same texts, each in all languages. The parts of a sentence may be texts, too. */
export type SpokenTable<T> = {
  readonly [Name in keyof T]: T[Name] extends string
    ? Spoken
    : T[Name] extends (...parts: infer Parts) => string
      ? (...parts: { [Index in keyof Parts]: Text }) => Spoken
      : SpokenTable<T[Name]>
}

/** Pairs the texts of both languages. A text that is missing in one of them does not compile. */
export const spoken = <T extends Table>(tables: {
  readonly en: T
  readonly es: NoInfer<T>
}): SpokenTable<T> => paired((language) => tables[language]) as SpokenTable<T>

function paired(entryIn: (language: Language) => Table[string]): unknown {
  const example = entryIn('en')
  if (typeof example === 'string') return entryIn
  if (typeof example === 'function') {
    return (...parts: readonly Text[]): Spoken =>
      (language) =>
        (entryIn(language) as Sentence)(...parts.map((part) => textIn(part, language)))
  }
  const names = Object.keys(example)
  return Object.fromEntries(
    names.map((name) => [name, paired((language) => (entryIn(language) as Table)[name] ?? '')]),
  )
}
