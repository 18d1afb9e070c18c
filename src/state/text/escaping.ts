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
