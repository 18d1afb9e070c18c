/** Pairing codes, which devices show until somebody enters them. Specification part 1, "Signage", POST /screens. */
import { Type } from '@sinclair/typebox'
import { mustMove } from '../machine.ts'
import { record } from '../record.ts'
import { refuse } from '../refusal.ts'
import type { Workspace } from '../workspace.ts'
import { pairingCodeMachine } from './machines.ts'
import { screens } from './screenRecords.ts'
import { pairingCodes as table } from './tables.ts'

export type PairingCode = typeof table.$inferSelect

/** Ms that a device shows a code before it takes another (assumed). */
export const CODE_LIFE = 15 * 60_000

const CODE_LENGTH = 6

export const pairingCodes = record(table, {
  noun: 'pairing code',
  due: {
    at: 'expiresAt',
    when: { status: 'issued' },
    job: 'signage.pairing_code.expire',
    run(workspace, code) {
      pairingCodes.update(workspace, code, { status: mustMove(pairingCodeMachine, code.status, 'expire') })
    },
  },
  snapshot: {
    section: 'signage',
    name: 'pairingCodes',
    instants: ['createdAt', 'expiresAt'],
    shapes: () => ({ code: Type.String({ minLength: 1, maxLength: 20 }) }),
  },
})

const byCode = pairingCodes.by('code')

/** A device that is not paired shows a code of its own. */
export function issuePairingCode(workspace: Workspace): PairingCode {
  return workspace.write(() => {
    const now = workspace.now()
    return pairingCodes.insert(workspace, {
      id: workspace.ids.prefixed('pair_'),
      code: newCode(workspace),
      status: pairingCodeMachine.initial[0],
      expiresAt: now + CODE_LIFE,
      reusable: false,
      screenId: null,
      createdAt: now,
    })
  })
}

/** One that no device has shown yet. */
function newCode(workspace: Workspace): string {
  // Nobody can tell 0 from O, or 1 from I, on a screen across the room.
  const letters = workspace.ids
    .prefixed('', 4 * CODE_LENGTH)
    .toUpperCase()
    .replaceAll(/[01IO]/g, '')
  const code = letters.slice(0, CODE_LENGTH)
  return code.length < CODE_LENGTH || byCode.find(workspace, code) ? newCode(workspace) : code
}

/** The screen that a code has paired, unless it was unpaired since. */
const existing = (workspace: Workspace, { screenId }: PairingCode): { readonly existing_id?: string } =>
  screenId !== null && screens.find(workspace, screenId) ? { existing_id: screenId } : {}

/** The code that was entered, whatever its case; refuses one that is not shown, or not any more. */
export function mustPair(workspace: Workspace, entered: string): PairingCode {
  const code =
    byCode.find(workspace, entered.toUpperCase()) ??
    refuse('not_found', `No device shows the pairing code ${entered}.`)
  switch (code.status) {
    case 'issued':
      return code
    case 'used':
      return refuse('conflict', `The pairing code ${code.code} has been used.`, {
        facts: { code: 'pairing_code_used', ...existing(workspace, code) },
      })
    case 'expired':
      return refuse('conflict', `The pairing code ${code.code} has expired; the device shows another one.`, {
        facts: { code: 'pairing_code_expired' },
      })
  }
}

/** The code has paired this screen, and pairs no other unless its device shows it again. Only inside a `write`. */
export function useCode(workspace: Workspace, code: PairingCode, screenId: string): void {
  const status = mustMove(pairingCodeMachine, code.status, 'use')
  const used = pairingCodes.update(workspace, code, { status, screenId })
  if (!used.reusable) return
  pairingCodes.update(workspace, used, {
    status: mustMove(pairingCodeMachine, used.status, 'show_again'),
    screenId: null,
  })
}
