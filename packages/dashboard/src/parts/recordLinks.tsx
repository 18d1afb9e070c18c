/** Links to records. A link with an id alone leads to the search, which opens the record. */
import { to } from '../route.ts'

/** Returns the address of a record in its section. */
export const recordAddress = (section: string, id: string): string => to('records', { section, open: id })

/** Returns the address that finds a record by its id. */
export const findAddress = (id: string): string => to('records', { find: id })

/** A field that contains an id: "id", "contactId", "link_id". */
const ID_NAME = /(?:^i|_i|[a-z]I)ds?$|^(?:hashUrl|slug)$/
/** An id with a prefix: "pl_demo0000000000000001". */
const PREFIXED_ID = /^[a-z]{2,10}_[\w-]{12,60}$/

/** Whether a value of a field is the id of a record. */
export const isRecordId = (name: string, value: string): boolean =>
  PREFIXED_ID.test(value) || (ID_NAME.test(name) && /^[\w-]{1,100}$/.test(value))
