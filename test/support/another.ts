/** Changes a code, an id or a unique name so that it keeps its form. */
export const another = (text: string, number: number): string =>
  UUID.test(text)
    ? text.replace(/-.{4}-/, `-${number.toString(16).toUpperCase().padStart(4, '0')}-`)
    : `${text}x${String(number)}`

const UUID = /^[\dA-F]{8}-[\dA-F]{4}-[\dA-F]{4}-[\dA-F]{4}-[\dA-F]{12}$/i
