/** Suggests the query parameter that a caller meant, also if it has another usual name in other interfaces. */
import { nearestName } from '@suite-sim/kit/text/nearestName'

/** Names that interfaces use for the same parameter, without separators and in lower case. */
const SAME: readonly (readonly string[])[] = [
  [
    'perpage',
    'limit',
    'lim',
    'pagesize',
    'pagelimit',
    'itemsperpage',
    'resultsperpage',
    'maxresults',
    'max',
    'size',
    'count',
    'take',
    'top',
    'rows',
    'first',
  ],
  ['page', 'pagenumber', 'pageno', 'pagenum', 'pageindex', 'currentpage', 'p'],
  ['offset', 'off', 'skip', 'startat', 'startindex'],
  [
    'cursor',
    'after',
    'startingafter',
    'pagetoken',
    'nextpagetoken',
    'nextcursor',
    'nexttoken',
    'continuation',
  ],
  ['sortby', 'sort', 'orderby', 'sortfield', 'sortcolumn'],
  ['sortdir', 'sortorder', 'order', 'direction', 'dir', 'sortdirection', 'orderdirection', 'orderdir'],
  ['search', 'q', 'query', 'searchterm', 'searchquery', 'keyword', 'keywords', 'term', 'text', 's'],
  ['from', 'since', 'startdate', 'datefrom', 'fromdate', 'createdafter', 'createdfrom', 'dategte', 'start'],
  ['to', 'until', 'enddate', 'dateto', 'todate', 'createdbefore', 'createdto', 'datelte', 'end'],
  ['ownerid', 'owner', 'userid', 'assigneeid', 'assignedto'],
  ['tag', 'tags', 'label', 'labels'],
]

const plain = (name: string): string => name.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase()

/** Returns the known parameter that was meant; null if none is near. */
export function usualName(written: string, known: readonly string[]): string | null {
  const wanted = plain(written)
  const exact = known.find((name) => plain(name) === wanted)
  if (exact !== undefined) return exact
  const others = SAME.find((names) => names.includes(wanted)) ?? []
  const usual = known.find((name) => others.includes(plain(name)))
  return usual ?? nearestName(written, known)
}
