/** Every event of the CRM, sorted by the lifecycle of a record. */
export const CRM_EVENTS = [
  'contact.created',
  'contact.updated',
  'contact.deleted',
  'deal.created',
  'deal.updated',
  'deal.stage_changed',
  'deal.won',
  'deal.lost',
  'deal.deleted',
  'activity.created',
  'activity.updated',
  'activity.completed',
  'activity.deleted',
  'automation.executed',
] as const

export type CrmEventName = (typeof CRM_EVENTS)[number]
