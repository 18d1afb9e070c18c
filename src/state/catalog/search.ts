/** What search looks into: texts without case, one a line. */
export const searchKey = (...texts: readonly (string | null)[]): string =>
  texts
    .filter((text) => text !== null)
    .join('\n')
    .toLowerCase()
