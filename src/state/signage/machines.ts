/** Specification part 1, "Screen status", and what it leaves open of pairing and of actions. */
import { assumed, documentedBut } from '../fidelity.ts'
import { machine } from '../machine.ts'

const shownStates = (why: string) => documentedBut(`The states are shown, and not what moves them: ${why}`)

/** A device that is silent for so long is offline, in ms. */
export const SILENCE = 5 * 60_000

export const screenMachine = machine({
  name: 'signage.screen',
  title: 'Screen',
  states: ['online', 'offline', 'standby'],
  // The device that shows a pairing code is there when the code is entered.
  initial: ['online'],
  moves: {
    wake: {
      from: ['offline', 'standby'],
      to: 'online',
      by: 'signage.screen.report',
      emits: 'screen.online',
      settledIn: ['online'],
      fidelity: shownStates('a report of the device that it shows something.'),
    },
    sleep: {
      from: ['online', 'offline'],
      to: 'standby',
      by: 'signage.screen.report with status standby',
      emits: 'screen.standby',
      settledIn: ['standby'],
      fidelity: shownStates('a report of the device that its display is off while it runs itself.'),
    },
    lose: {
      from: ['online', 'standby'],
      to: 'offline',
      by: 'the clock, five minutes after the last report; signage.screen.report with status offline',
      emits: 'screen.offline',
      settledIn: ['offline'],
      fidelity: shownStates(
        'five minutes without a report, or the report of a device that it is switched off.',
      ),
    },
  },
})

export const pairingCodeMachine = machine({
  name: 'signage.pairing_code',
  title: 'Pairing code',
  states: ['issued', 'used', 'expired'],
  initial: ['issued'],
  moves: {
    use: {
      from: ['issued'],
      to: 'used',
      by: 'POST /screens',
      emits: 'screen.paired',
      fidelity: documentedBut('A screen is paired by its code; that a code does so once is assumed.'),
    },
    show_again: {
      from: ['used'],
      to: 'issued',
      by: 'a device that shows its code again, as that of the demo does, for examples are sent more than once',
      fidelity: assumed('The simulator’s own: DEMO42 pairs a further screen each time.'),
    },
    expire: {
      from: ['issued'],
      to: 'expired',
      by: 'the clock, 15 minutes after it was issued',
      fidelity: assumed('The specification shows no end of a code; devices show one for some minutes.'),
    },
  },
})

const DEVICE = 'The specification shows that an action is asked for, and nothing of what becomes of it.'

export const actionMachine = machine({
  name: 'signage.action',
  title: 'Action',
  states: ['queued', 'completed', 'failed'],
  initial: ['queued'],
  moves: {
    complete: {
      from: ['queued'],
      to: 'completed',
      by: 'signage.action.complete',
      emits: 'screen.action_completed',
      fidelity: assumed(DEVICE),
    },
    fail: {
      from: ['queued'],
      to: 'failed',
      by: 'signage.action.fail',
      emits: 'screen.action_failed',
      fidelity: assumed(DEVICE),
    },
  },
})

export const signageMachines = [screenMachine, pairingCodeMachine, actionMachine]
