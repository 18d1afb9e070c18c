/**
 * Texts that a spreadsheet program would run as a formula. Exports put an apostrophe before them, also if they
 * already have one, so that imports can undo it.
 */
export const escapeFormula = (text: string): string =>
  /^'*[=+\-@\t\r]/.test(text) && !PHONE.test(text) ? `'${text}` : text

/** A program reads it as the number that it is. */
const PHONE = /^\+\d+$/

export const unescapeFormula = (text: string): string => (/^'+[=+\-@\t\r]/.test(text) ? text.slice(1) : text)
