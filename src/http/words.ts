/** Several words in one text: "vip; fleet", "vip, fleet" and "* vip ::: fleet" are two each. */
export const wordsOf = (text: string): string[] =>
  text
    .split(/:::|[;,]/)
    .map((word) => word.replace(/^\s*\* /, '').trim())
    .filter((word) => word !== '')
