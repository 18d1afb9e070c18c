/** The language of a page: the one that `?lang=` names, else the first one of Accept-Language, else English. */
import type { FastifyRequest } from 'fastify'
import { LANGUAGES, type Language } from '../../state/text/languages.ts'

/** Who reads a page. */
export interface Reader {
  readonly language: Language
  /** Whether the address names the language. Links then name it, too. */
  readonly isChosen: boolean
}

const languageCalled = (tag: string): Language | undefined =>
  LANGUAGES.find((language) => language === tag.trim().toLowerCase().split('-')[0])

/** Returns the reader of the page at this URL. Requests that the server could not parse have no query. */
export function readerOf({ url, headers }: Pick<FastifyRequest, 'url' | 'headers'>): Reader {
  const chosen = languageCalled(queryOf(url).get('lang') ?? '')
  return chosen
    ? { language: chosen, isChosen: true }
    : { language: acceptedLanguage(headers['accept-language']), isChosen: false }
}

export const queryOf = (url: string): URLSearchParams => new URLSearchParams(url.split('?')[1])

/** The most languages of a header that are read. Browsers send up to a dozen. */
const MAX_ACCEPTED = 20

/** Returns the language of the header with the highest weight ("es-MX,es;q=0.9,en;q=0.5"); `*` is English. */
export function acceptedLanguage(header = ''): Language {
  const accepted = header.split(',', MAX_ACCEPTED).map((range) => {
    const [tag = '', ...parameters] = range.split(';')
    const weight = parameters
      .find((each) => each.trim().startsWith('q='))
      ?.trim()
      .slice(2)
    const language = tag.trim() === '*' ? 'en' : languageCalled(tag)
    return { language, weight: weight === undefined ? 1 : Number(weight) }
  })
  const [best] = accepted
    .filter(({ language, weight }) => language !== undefined && weight > 0 && weight <= 1)
    .sort((one, other) => other.weight - one.weight)
  return best?.language ?? 'en'
}

/** Adds the language to a relative address. */
export const withLanguage = (path: string, language: Language): string =>
  `${path}${path.includes('?') ? '&' : '?'}lang=${language}`

/** Returns the address of another page, which keeps the language if the address of this page names it. */
export const linkTo =
  (path: string) =>
  (language: Language, isChosen: boolean): string =>
    isChosen ? withLanguage(path, language) : path
