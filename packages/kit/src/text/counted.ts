/** Returns "1,234". */
export const withCommas = (count: number): string => count.toLocaleString('en-US')

/** Returns "1 call", "2 calls", "1,234 calls", "2 replies". All counts in texts for people are written with it. */
export const counted = (count: number, noun: string): string => `${withCommas(count)} ${nounFor(count, noun)}`

/** Returns "call" for 1, "calls" for other counts. */
export const nounFor = (count: number, noun: string): string => (count === 1 ? noun : pluralOf(noun))

const pluralOf = (noun: string): string =>
  /[^aeiou]y$/.test(noun)
    ? `${noun.slice(0, -1)}ies`
    : /(?:[sx]|ch|sh)$/.test(noun)
      ? `${noun}es`
      : `${noun}s`
