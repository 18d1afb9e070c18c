/** The state machines of products and activities. Specification part 1, "Product status" and "Activity status". */
import { assumed } from '../model/fidelity.ts'
import { machine } from '../model/machine.ts'
import { callStep } from '../model/ways.ts'

const anyStatusMayBeSent = assumed(
  'The specification shows the three statuses and no transitions; an update may set any of them.',
)

const product = (status: string) => callStep('POST /products', { name: 'Desk', type: 'physical', status })

export const productMachine = machine({
  name: 'catalog.product',
  title: 'Product',
  states: ['active', 'archived', 'draft'],
  initial: ['active', 'archived', 'draft'],
  reach: {
    made: { active: product('active'), archived: product('archived'), draft: product('draft') },
    get: 'GET /products/{product.data.id}',
  },
  moves: {
    activate: {
      from: ['archived', 'draft'],
      to: 'active',
      by: 'PUT /products/{id} with status',
      fidelity: anyStatusMayBeSent,
    },
    archive: {
      from: ['active', 'draft'],
      to: 'archived',
      by: 'PUT /products/{id} with status',
      fidelity: anyStatusMayBeSent,
    },
    redraft: {
      from: ['active', 'archived'],
      to: 'draft',
      by: 'PUT /products/{id} with status',
      fidelity: anyStatusMayBeSent,
    },
  },
})

export const activityMachine = machine({
  name: 'catalog.activity',
  title: 'Activity',
  states: ['pending', 'completed', 'overdue'],
  initial: ['pending'],
  reach: {
    made: { pending: callStep('POST /activities', { title: 'Call the customer', type: 'call' }) },
    get: 'GET /activities/{activity.data.id}',
  },
  moves: {
    complete: {
      from: ['pending', 'overdue'],
      to: 'completed',
      settledIn: ['completed'],
      by: 'PATCH /activities/{id}/complete',
      way: callStep('PATCH /activities/{activity.data.id}/complete'),
      emits: 'activity.completed',
      fidelity: {
        status: 'documented',
        why: 'The specification shows the move from pending. Assumed: an overdue activity can be completed too, and a second call changes nothing.',
      },
    },
    fall_due: {
      can: 'fall due',
      from: ['pending'],
      to: 'overdue',
      by: 'the clock, at dueDate',
      way: { made: { dueDate: '2020-01-01T00:00:00Z' } },
      emits: 'activity.overdue',
      fidelity: assumed(
        'The specification shows the status overdue and no transition to it; the clock makes it at dueDate.',
      ),
    },
    reschedule: {
      from: ['overdue'],
      to: 'pending',
      by: 'PUT /activities/{id} with a later dueDate, or none',
      fidelity: assumed(
        'An overdue activity with a new due date in the future, or without one, is pending again.',
      ),
    },
  },
})

export const catalogMachines = [productMachine, activityMachine]
