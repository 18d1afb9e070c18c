/** The amounts that all credit notes of a workspace take off their invoices. */
import type { Workspace } from '../../workspace/workspace.ts'
import { addCredits, indexNotes, type Credits } from '../invoices/creditNotes.ts'
import { ALL_TIME } from '../../shared/periods.ts'
import { activeCreditNotes } from './reportedInvoices.ts'

/** Computes how much active credit notes take off each invoice. */
export async function creditsOfInvoices(workspace: Workspace): Promise<Credits> {
  const credits: Credits = new Map()
  indexNotes(workspace)
  for await (const note of activeCreditNotes(workspace, ALL_TIME)) addCredits(workspace, note, credits)
  return credits
}
