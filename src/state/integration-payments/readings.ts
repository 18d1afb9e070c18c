/** The readings of integration payments. */
import { reading } from '../model/reading.ts'

const ERRORS = 'part 2, "Errors"'

export const invalidState = reading({
  name: 'integration-payments.invalid_state',
  title: 'The status when a completed or cancelled link is cancelled (ERR_INVALID_STATE)',
  section: ERRORS,
  default: '400',
  alternatives: {
    400: '400, as in the table of errors.',
    409: '409, as another passage mentions.',
  },
})

export const unknownKey = reading({
  name: 'integration-payments.unknown_key',
  title: 'The status when the key is unknown (ERR_ACCOUNT_API_KEY_ALIAS_NOT_FOUND)',
  section: ERRORS,
  default: '404',
  alternatives: {
    404: '404, as in the table of errors.',
    401: '401, as a listing table has it. The reading of the server applies, because an unknown key has no workspace.',
  },
})
