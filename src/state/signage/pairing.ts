/** Pairing codes, which devices show until a user enters them. Specification part 1, "Signage", POST /screens. */
import { mustMove } from '../model/machine.ts'
import { record } from '../storage/records/record.ts'
import { refuse } from '../model/refusal.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { pairingCodeMachine } from './machines.ts'
import { screens } from './screenRecords.ts'
import { pairingCodes as table } from './tables.ts'

export type PairingCode = typeof table.$inferSelect

/** The milliseconds after which a code expires (assumed). */
export const CODE_LIFE = 15 * 60_000

const CODE_LENGTH = 6

export const pairingCodes = record(table, {
  noun: 'pairing code',
  due: {
    at: 'expiresAt',
    when: { status: pairingCodeMachine.moves.expire.from },
    job: 'signage.pairing_code.expire',
    run(workspace, code) {
      pairingCodes.update(workspace, code, { status: mustMove(pairingCodeMachine, code.status, 'expire') })
    },
  },
  snapshot: { section: 'signage', name: 'pairingCodes' },
})

const byCode = pairingCodes.by('code')

/** Creates the pairing code that an unpaired device shows. */
export function issuePairingCode(workspace: Workspace): PairingCode {
  return workspace.write(() => {
    const now = workspace.now()
    return pairingCodes.insert(workspace, {
      id: workspace.ids.prefixed('pair_'),
      code: newCode(workspace),
      expiresAt: now + CODE_LIFE,
      createdAt: now,
    })
  })
}

/** Returns an unused code. */
function newCode(workspace: Workspace): string {
  // 0 and O, and 1 and I, look the same on a distant screen.
  const letters = workspace.ids
    .prefixed('', 4 * CODE_LENGTH)
    .toUpperCase()
    .replaceAll(/[01IO]/g, '')
  const code = letters.slice(0, CODE_LENGTH)
  return code.length < CODE_LENGTH || byCode.find(workspace, code) ? newCode(workspace) : code
}

/** Returns the id of the screen that was paired with the code, if it still exists. */
const existing = (workspace: Workspace, { screenId }: PairingCode): { readonly existing_id?: string } =>
  screenId !== null && screens.find(workspace, screenId) ? { existing_id: screenId } : {}

/** Returns the entered code, compared without case. Refuses unknown, used and expired codes. */
export function mustPair(workspace: Workspace, entered: string): PairingCode {
  const code =
    byCode.find(workspace, entered.toUpperCase()) ??
    refuse('not_found', `No device shows the pairing code ${entered}. Enter the code that the device shows.`)
  switch (code.status) {
    case 'issued':
      return code
    case 'used':
      return refuse('conflict', `The pairing code ${code.code} was already used.`, {
        facts: { code: 'pairing_code_used', ...existing(workspace, code) },
      })
    case 'expired':
      return refuse('conflict', `The pairing code ${code.code} has expired. The device shows a new one.`, {
        facts: { code: 'pairing_code_expired' },
      })
  }
}

/** Marks the code as used for this screen, or issues it again if it is reusable. Call only inside a `write`. */
export function useCode(workspace: Workspace, code: PairingCode, screenId: string): void {
  const status = mustMove(pairingCodeMachine, code.status, 'use')
  const used = pairingCodes.update(workspace, code, { status, screenId })
  if (!used.reusable) return
  pairingCodes.update(workspace, used, {
    status: mustMove(pairingCodeMachine, used.status, 'show_again'),
    screenId: null,
  })
}
