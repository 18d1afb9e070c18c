/** Specification part 1, "Product status" and "Activity status". */
import { assumed } from '../fidelity.ts'
import { machine } from '../machine.ts'

const anyStatusMayBeSent = assumed(
  'The specification names the three statuses and shows no transitions; an update may set any of them.',
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
        why: 'From pending it is documented; from overdue, and that a second call changes nothing, is assumed.',
      },
    },
    fall_due: {
      from: ['pending'],
      to: 'overdue',
      by: 'the clock, at dueDate',
      emits: 'activity.overdue',
      fidelity: assumed(
        'Overdue is a documented status without a documented transition; it comes at dueDate.',
      ),
    },
    reschedule: {
      from: ['overdue'],
      to: 'pending',
      by: 'PUT /activities/{id} with a later dueDate, or none',
      fidelity: assumed('An overdue activity that is given a due date ahead of the clock is pending again.'),
    },
  },
})

export const catalogMachines = [productMachine, activityMachine]
