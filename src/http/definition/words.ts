/**
 * Splits a text into words: "vip; fleet", "vip, fleet", "vip | fleet", "* vip ::: fleet" and ["vip","fleet"] have
 * two each.
 */
export const wordsOf = (text: string): string[] =>
  (jsonWords(text) ?? text.split(/:::|[;,|]/).map((word) => word.replace(/^\s*\* /, '')))
    .map((word) => word.trim())
    .filter((word) => word !== '')

/** Returns the texts of a JSON list, which programs write into cells; null for any other text. */
function jsonWords(text: string): string[] | null {
  if (!/^\s*\[.*\]\s*$/s.test(text)) return null
  try {
    const list = JSON.parse(text) as unknown[]
    return list.every((word) => typeof word === 'string') ? list : null
  } catch {
    return null
  }
}
