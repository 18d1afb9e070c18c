/** The state machines of products and activities. Specification part 1, "Product status" and "Activity status". */
import { assumed } from '../model/fidelity.ts'
import { machine } from '../model/machine.ts'

const anyStatusMayBeSent = assumed(
  'The specification shows the three statuses and no transitions; an update may set any of them.',
)

export const productMachine = machine({
  name: 'catalog.product',
  title: 'Product',
  states: ['active', 'archived', 'draft'],
  initial: ['active', 'archived', 'draft'],
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
  moves: {
    complete: {
      from: ['pending', 'overdue'],
      to: 'completed',
      settledIn: ['completed'],
      by: 'PATCH /activities/{id}/complete',
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
