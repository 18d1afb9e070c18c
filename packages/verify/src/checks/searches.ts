/** Rows that a search returns have the word. Searches that look into other fields than those of the row are left out by calibration. */
import type { Exchange } from '../exchanges/exchange.ts'
import { rowsIn, type List } from '../model/list.ts'
import { SEARCHES } from '../crawl/values.ts'
import { record, type CheckContext } from './context.ts'

export function checkSearch(context: CheckContext, list: List, exchange: Exchange): void {
  const { operation, query } = exchange.probe
  const [name, word] = Object.entries(query).find(([each]) => SEARCHES.test(each)) ?? []
  const rows = rowsIn(list, exchange.body)
  if (name === undefined || word === undefined || !rows || rows.length === 0) return
  const others = rows.filter((row) => !folded(JSON.stringify(row)).includes(folded(word)))
  const claim = context.claims.at(`${operation.address} ?${name}`, 'parameter')
  record(context, 'relations', exchange, {
    aspect: 'search',
    place: list.rowsAt.map((each) => `.${each}`).join(''),
    isEqual: others.length === 0,
    message: `A row does not have the text that ${name} asks for.`,
    expected: word,
    actual: others[0],
    ...(claim && { claim: claim.key }),
  })
}

/** Without case and accents, as searches compare. */
const folded = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
