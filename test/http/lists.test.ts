/** Each list that goes on from a cursor, under the law of all. */
import { obeysTheListLaw, placeInTime } from '../support/lists.ts'

const NAMES = ['alpha', 'Beta', 'gamma', 'delta']
const name = (number: number): string => `${NAMES[number % 4] ?? ''} ${String(number % 6)}`

/** Not in the order of their texts: 9.5 comes before 10. No price comes before all others. */
const PRICES = ['10', '9.5', null, '9.50', '100.00', '0', '123456789012345.5']
const price = (number: number): string | null => PRICES[number % 7] ?? null

obeysTheListLaw({
  interface: 'catalog',
  path: '/products',
  body: (number) => ({ name: name(number), type: 'physical', basePrice: price(number) }),
  sorts: {
    created_at: placeInTime,
    name: (number) => name(number).toLowerCase(),
    base_price: (number) => Number(price(number) ?? -1),
  },
  byDefault: { sort: 'created_at', order: 'desc' },
  filters: { type: 'physical', status: 'active', category: 'Chairs', owner_id: 'nobody', search: 'a' },
})

/** Every fifth has none, and comes before all others. */
const dueDate = (number: number): string | null =>
  number % 5 === 0 ? null : `2027-01-0${String(number % 5)}T12:00:00.000Z`

obeysTheListLaw({
  interface: 'catalog',
  path: '/activities',
  body: (number) => ({ title: name(number), type: 'call', dueDate: dueDate(number) }),
  sorts: {
    created_at: placeInTime,
    title: (number) => name(number).toLowerCase(),
    due_date: (number) => dueDate(number) ?? '',
  },
  byDefault: { sort: 'created_at', order: 'desc' },
  filters: {
    type: 'call',
    status: 'pending',
    owner_id: 'nobody',
    search: 'a',
    entity_type: 'deal',
  },
})
