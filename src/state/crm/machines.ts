/**
 * The state machines of deals and CRM activities. Specification part 1, "Deal status"; the states of activities are
 * assumed.
 */
import { assumed, documented, documentedBut } from '../model/fidelity.ts'
import { machine, statesWhere } from '../model/machine.ts'
import { callStep } from '../model/ways.ts'

const pipeline = callStep('POST /pipelines', {
  name: 'Sales',
  stages: [{ name: 'Qualified', probability: 50 }],
})

export const dealMachine = machine({
  name: 'crm.deal',
  title: 'Deal',
  states: ['open', 'won', 'lost'],
  initial: ['open'],
  reach: {
    made: {
      open: callStep(
        'POST /deals',
        { name: 'New office', pipeline_id: '{pipeline.id}' },
        { needs: { pipeline } },
      ),
    },
    get: 'GET /deals/{deal.id}',
  },
  moves: {
    move: {
      from: ['open'],
      to: 'open',
      by: 'POST /deals/{deal_id}/move',
      emits: 'deal.stage_changed',
      fidelity: documentedBut('The specification shows the move. The name of its event is assumed.'),
    },
    win: {
      from: ['open'],
      to: 'won',
      by: 'POST /deals/{deal_id}/won',
      way: callStep('POST /deals/{deal.id}/won'),
      emits: 'deal.won',
      fidelity: documented,
    },
    lose: {
      from: ['open'],
      to: 'lost',
      by: 'POST /deals/{deal_id}/lost',
      way: callStep('POST /deals/{deal.id}/lost'),
      emits: 'deal.lost',
      fidelity: documented,
    },
    reopen: {
      from: ['won', 'lost'],
      to: 'open',
      by: 'PATCH /deals/{deal_id} with status open',
      fidelity: assumed(
        'The specification shows no transition of a closed deal. In the simulator, an update with the status open opens it again in its stage, as CRMs do.',
      ),
    },
  },
})

export type DealStatus = (typeof dealMachine.states)[number]

/** The statuses of deals that have ended. */
export const CLOSED = statesWhere(dealMachine, { open: false, won: true, lost: true })

const activity = (completed: boolean) =>
  callStep('POST /activities', { type: 'task', subject: 'Call the customer', completed })

export const crmActivityMachine = machine({
  name: 'crm.activity',
  title: 'CRM activity',
  states: ['planned', 'completed'],
  initial: ['planned', 'completed'],
  reach: {
    made: { planned: activity(false), completed: activity(true) },
    get: 'GET /activities/{activity.id}',
  },
  moves: {
    complete: {
      from: ['planned'],
      to: 'completed',
      by: 'PATCH /activities/{activity_id} with completed true',
      emits: 'activity.completed',
      fidelity: assumed('The specification shows a completed flag and no request body of the update.'),
    },
    reopen: {
      from: ['completed'],
      to: 'planned',
      by: 'PATCH /activities/{activity_id} with completed false',
      fidelity: assumed('The specification shows a completed flag and no request body of the update.'),
    },
  },
})

export const crmMachines = [dealMachine, crmActivityMachine]
