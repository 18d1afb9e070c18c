/** Escapes texts for the languages that they are put into. */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes a text for HTML, also in attributes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

/** Escapes a text for XML 1.0, which has no control characters except tabs and line ends. */
export const escapeXml = (text: string): string =>
  escapeHtml(text.replaceAll(/(?![\t\n\r])[\p{Cc}\uFFFE\uFFFF]/gu, '\uFFFD').toWellFormed())

/** Escapes a text for a regular expression. */
export const escapeRegExp = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * Texts that a spreadsheet program would run as a formula. Exports put an apostrophe before them, also if they
 * already have one, so that imports can undo it.
 */
export const escapeFormula = (text: string): string =>
  /^'*[=+\-@\t\r]/.test(text) && !PHONE.test(text) ? `'${text}` : text

/** A program reads it as the number that it is. */
const PHONE = /^\+\d+$/

export const unescapeFormula = (text: string): string => (/^'+[=+\-@\t\r]/.test(text) ? text.slice(1) : text)
