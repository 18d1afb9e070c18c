/** The amounts that all credit notes of a workspace take off their invoices. */
import type { Workspace } from '../../workspace/workspace.ts'
import { addCredits, type Credits } from '../invoices/creditNotes.ts'
import { invoices } from '../invoices/invoices.ts'
import { ALL_TIME, activeCreditNotes } from './reportedInvoices.ts'

/** Computes how much active credit notes take off each invoice. */
export async function creditsOfInvoices(workspace: Workspace): Promise<Credits> {
  const credits: Credits = new Map()
  // The index finds a few notes among many invoices without a full scan.
  invoices.index(workspace, ['type'])
  for await (const note of activeCreditNotes(workspace, ALL_TIME)) addCredits(workspace, note, credits)
  return credits
}
