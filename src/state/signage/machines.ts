/** State machines of screens, pairing codes and actions. Specification part 1, "Screen status"; the rest is assumed. */
import { assumed, documentedBut } from '../model/fidelity.ts'
import { machine, statesWhere } from '../model/machine.ts'
import { callStep, triggerStep, inState, type Step } from '../model/ways.ts'

const assumedCause = (cause: string) =>
  assumed(`The specification shows the states, but not the transitions. In the simulator, ${cause}`)

/** The milliseconds without a report after which a device is offline. */
export const OFFLINE_AFTER = 5 * 60_000

const report = (status: string) => triggerStep('signage.screen.report', { screen_id: '{screen.id}', status })

const pair = (more: Step) =>
  callStep('POST /screens', { name: 'Entrance', pairing_code: '{pairingCode.pairing_code}' }, more)

const issue = triggerStep('signage.pairing_code.issue', {})

export const screenMachine = machine({
  name: 'signage.screen',
  title: 'Screen',
  states: ['online', 'offline', 'standby'],
  // A device shows its pairing code, so it is online when the code is entered.
  initial: ['online'],
  reach: { made: { online: pair({ needs: { pairingCode: issue } }) }, get: 'GET /screens/{screen.id}' },
  moves: {
    wake: {
      can: 'wake',
      from: ['offline', 'standby'],
      to: 'online',
      by: 'signage.screen.report',
      emits: 'screen.online',
      settledIn: ['online'],
      fidelity: assumedCause('the device reports that it is showing content.'),
    },
    sleep: {
      can: 'go to standby',
      from: ['online', 'offline'],
      to: 'standby',
      by: 'signage.screen.report with status standby',
      way: report('standby'),
      emits: 'screen.standby',
      settledIn: ['standby'],
      fidelity: assumedCause('the device reports that it is running with its display off.'),
    },
    lose: {
      can: 'go offline',
      from: ['online', 'standby'],
      to: 'offline',
      by: 'the clock, five minutes after the last report; signage.screen.report with status offline',
      way: report('offline'),
      emits: 'screen.offline',
      settledIn: ['offline'],
      fidelity: assumedCause(
        'the device has sent no report for five minutes, or reports that it is switching off.',
      ),
    },
  },
})

/** The statuses in which a device is running and reports. */
export const UP = statesWhere(screenMachine, { online: true, standby: true, offline: false })

/** The move to each status. */
export const MOVE_TO = {
  online: 'wake',
  standby: 'sleep',
  offline: 'lose',
} as const satisfies Readonly<Record<(typeof screenMachine.states)[number], keyof typeof screenMachine.moves>>

export const pairingCodeMachine = machine({
  name: 'signage.pairing_code',
  title: 'Pairing code',
  states: ['issued', 'used', 'expired'],
  initial: ['issued'],
  reach: { made: { issued: issue } },
  moves: {
    use: {
      from: ['issued'],
      to: 'used',
      by: 'POST /screens',
      way: pair({}),
      emits: 'screen.paired',
      fidelity: documentedBut(
        'The specification pairs a screen by its code. Assumed: a code can be used once.',
      ),
    },
    show_again: {
      from: ['used'],
      to: 'issued',
      by: 'the demo device, which shows its code again so that examples can be repeated',
      fidelity: assumed('The simulator adds this transition: the code DEMO42 pairs a new screen each time.'),
    },
    expire: {
      can: 'expire',
      from: ['issued'],
      to: 'expired',
      by: 'the clock, 15 minutes after it was issued',
      way: { clock: 'PT15M' },
      fidelity: assumed(
        'The specification does not show when a code expires. The simulator expires it after 15 minutes.',
      ),
    },
  },
})

const OUTCOME =
  'The specification shows the request of an action, but not its outcome. In the simulator, the device reports it.'

export const actionMachine = machine({
  name: 'signage.action',
  title: 'Action',
  states: ['queued', 'completed', 'failed'],
  initial: ['queued'],
  reach: {
    made: {
      queued: callStep(
        'POST /screens/{screen.id}/actions',
        { action: 'screenshot' },
        { needs: { screen: inState(screenMachine, 'online') } },
      ),
    },
  },
  moves: {
    complete: {
      from: ['queued'],
      to: 'completed',
      by: 'signage.action.complete',
      way: triggerStep('signage.action.complete', { action_id: '{action.action_id}' }),
      emits: 'screen.action_completed',
      fidelity: assumed(OUTCOME),
    },
    fail: {
      can: 'fail',
      from: ['queued'],
      to: 'failed',
      by: 'signage.action.fail',
      way: triggerStep('signage.action.fail', { action_id: '{action.action_id}' }),
      emits: 'screen.action_failed',
      fidelity: assumed(OUTCOME),
    },
  },
})

export const signageMachines = [screenMachine, pairingCodeMachine, actionMachine]
