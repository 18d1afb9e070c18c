/** Splits a text into words: "vip; fleet", "vip, fleet" and "* vip ::: fleet" have two each. */
export const wordsOf = (text: string): string[] =>
  text
    .split(/:::|[;,]/)
    .map((word) => word.replace(/^\s*\* /, '').trim())
    .filter((word) => word !== '')
