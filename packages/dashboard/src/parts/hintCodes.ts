/** How serious the hints are, and what to do about each. docs/hints.md has the same table. */

/** `error`: the call failed. `warning`: it probably did not do what the caller meant. `note`: good to know. */
export type Severity = 'error' | 'warning' | 'note'

const UNVERIFIED = 'Check it with the real suite before you rely on it.'
const WRONG_KEY = 'Send a key of the workspace in the header that the interface reads.'
const RELATED_NOTE = 'Check cfdi_relacionados of the credit note.'
const UNKNOWN_OUTCOME = 'Look for the record before you send the call again.'
const SUBSTITUTE = 'Issue the substitute again, or cancel with another motivo.'

const ADVICE: Readonly<Record<string, readonly [Severity, string]>> = {
  answer_late: ['note', 'Expect answers that come late.'],
  answer_lost: ['warning', UNKNOWN_OUTCOME],
  answer_replaced: ['warning', UNKNOWN_OUTCOME],
  assumed_behavior: ['note', UNVERIFIED],
  assumed_refusal: ['note', UNVERIFIED],
  auto_assign_not_done: ['note', 'Assign the conversations with calls.'],
  caller_ignored: ['warning', 'Send a shorter name, in ASCII.'],
  case_not_allowed: ['warning', 'Allow cases in the workspace, or leave the header out.'],
  case_without_effect: ['warning', 'Check the conditions and times of its faults.'],
  catalog_selection: ['note', 'Start the server with --sat-catalogs to search the official catalog.'],
  credential_missing: ['error', WRONG_KEY],
  credential_unknown: ['error', WRONG_KEY],
  credit_note_exceeds_invoice: ['warning', 'Credit at most what the invoices have left.'],
  credit_note_of_another_recipient: ['warning', RELATED_NOTE],
  credit_note_of_cancelled: ['warning', RELATED_NOTE],
  credit_note_unrelated: ['warning', RELATED_NOTE],
  delayed: ['note', 'Expect calls that take long.'],
  email_not_sent: ['warning', 'Send the invoice to an address with the call in the message.'],
  forbidden: ['error', 'Use a key, a token or an origin that may make this call.'],
  foreign: ['error', 'Allow the host name or the origin with the flag in the message.'],
  formula_without_value: ['warning', 'Save the file with a spreadsheet program, and send it again.'],
  held: ['note', 'Release the call with the control plane.'],
  inverted_equivalence: ['warning', 'Send the reciprocal, if the message is right.'],
  invitation_not_sent: ['warning', 'Create a participant with the new e-mail address.'],
  keys_refused: ['note', 'Use a key of another agent for conversations.'],
  limit_reached: ['note', 'Wait as long as Retry-After says, or advance the clock.'],
  method_not_allowed: ['error', 'Use a method that the path supports.'],
  no_offset: ['note', 'Send Z or an offset with each date-time.'],
  no_such_entity: ['warning', 'Create the contact or the deal first, or correct its id.'],
  no_such_path: ['error', 'Correct the path. The API reference has all of them.'],
  no_such_record: ['warning', 'Use the id of a record of this workspace.'],
  nobody_on_duty: ['warning', 'Set an agent online.'],
  nothing_to_send: ['warning', 'Set both the text and the setting that enables it.'],
  number_changed: ['warning', 'Send the number as a text.'],
  observed: ['note', 'Rely on it as far as its samples go, or measure again.'],
  payment_before_invoice: ['warning', 'Check the date of the payment and its time zone.'],
  payment_exceeds_balance: ['warning', 'Pay at most the balance less the credit notes.'],
  rate_limited: ['error', 'Wait a minute, then send the right token.'],
  reading: ['note', 'Choose the reading that your integration expects, as the message says.'],
  receipt_replaces_nothing: ['warning', 'Relate the receipt to the UUID of the receipt that it replaces.'],
  recipient_cannot_answer: [
    'warning',
    'Choose the other reading, or accept as the recipient with the trigger.',
  ],
  records_missing: ['note', 'Get a new record by its id, or search again later.'],
  refund_in_progress: ['note', 'Pull the trigger payments.refund.complete.'],
  retried_too_early: ['warning', 'Wait as long as Retry-After says before you repeat a call.'],
  role_not_enforced: ['note', 'Do not rely on the role to limit the agent.'],
  reason_of_global_invoice: ['warning', 'Use motivo 02 or 03, or cancel the invoice to the public instead.'],
  slow_webhook: ['warning', 'Answer the webhook first, and process it afterwards.'],
  substitute_not_related: ['warning', SUBSTITUTE],
  substitute_of_another_recipient: ['warning', SUBSTITUTE],
  substitute_older: ['warning', SUBSTITUTE],
  unknown_attribute: ['warning', 'Check the name of the attribute, or set it on a record first.'],
  unknown_body_field: ['warning', 'Check the name of the field, or leave it out.'],
  unknown_duration: ['warning', 'Send a duration.'],
  unknown_header: ['warning', 'Do not rely on the header.'],
  unknown_placeholder: ['warning', 'Correct the path, or fill the field first.'],
  unknown_query_parameter: ['warning', 'Check the name of the parameter, or leave it out.'],
  unreadable_media: ['warning', 'Upload a complete file.'],
  untaxed_payment: ['warning', 'Send the code in the message.'],
  vacancy_closed: ['warning', 'Publish the vacancy again, or cancel the interview.'],
  webhooks_first: ['note', 'Expect webhooks about records whose id you do not have yet.'],
}

export const HINT_CODES: readonly string[] = Object.keys(ADVICE)

/** Unknown codes are refusals of calls without a workspace. */
export const severityOf = (code: string): Severity =>
  (Object.hasOwn(ADVICE, code) ? ADVICE[code]?.[0] : undefined) ?? 'error'

/** Returns what to do about a hint; '' if the message says it all. */
export const adviceOn = (code: string): string =>
  (Object.hasOwn(ADVICE, code) ? ADVICE[code]?.[1] : undefined) ?? ''
