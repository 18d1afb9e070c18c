/** A fresh app with a frozen clock, and helpers for lite invoicing. */
import type { Static } from '@sinclair/typebox'
import type { IssuedInvoice } from '../../src/interfaces/lite-invoicing/shapes/invoices.ts'
import { freshApp, type Answer, type Call, type FreshApp } from './app.ts'

export const NOON = '2026-11-21T17:00:00.000Z'

export type Issued = Static<typeof IssuedInvoice.item>

type Fields = Readonly<Record<string, unknown>>

/** A legal entity whose check digit is 12. */
export const CANAL = { taxName: 'Canal Logistics', taxId: '155712345-2-2022', taxDv: 12 }

export interface LiteInvoicing {
  readonly fresh: FreshApp
  readonly call: Call
  /** Fires the trigger lite-invoicing.taxpayer.register. */
  readonly register: (body: Fields) => Promise<Answer>
  /** GET /invoicing/ruc/info with this query. */
  readonly lookUp: (query: string) => Promise<Answer>
  /** POST /invoicing/lite; by default one item of 10.00 without tax for a final consumer. */
  readonly send: (fields?: Fields) => Promise<Answer>
  /** Sends the same, which must succeed. */
  readonly issue: (fields?: Fields) => Promise<Issued>
  /** Sends the same for this client. */
  readonly sendTo: (client: Fields) => Promise<Answer>
  readonly cancel: (body: Fields) => Promise<Answer>
}

export async function freshLiteInvoicing(): Promise<LiteInvoicing> {
  const fresh = await freshApp()
  fresh.setClock(NOON)
  const call = fresh.at('lite-invoicing')
  const send = (fields: Fields = {}) =>
    call('POST', '/invoicing/lite', {
      body: {
        branchId: '0001',
        client: { taxReceiverType: '02' },
        items: [{ description: 'Chair', qty: 1, price: 10 }],
        payments: [{ type: '02', amount: 10 }],
        ...fields,
      },
    })
  return {
    fresh,
    call,
    register: (body) =>
      fresh.call('POST', `/_sim/workspaces/${fresh.workspace.id}/triggers/lite-invoicing.taxpayer.register`, {
        body,
      }),
    lookUp: (query) => call('GET', `/invoicing/ruc/info${query}`),
    send,
    async issue(fields) {
      const answer = await send(fields)
      if (answer.status !== 200) throw new Error(`answered ${String(answer.status)}: ${answer.text}`)
      return (answer.body as { result: Issued }).result
    },
    sendTo: (client) => send({ client }),
    cancel: (body) => call('POST', '/invoicing/lite/cancel', { body }),
  }
}

/** An error for `toMatchObject`. */
export const refusal = (status: number, code: string, field?: string) => ({
  status,
  body: {
    success: false,
    error: { code, ...(field !== undefined && { details: [{ field }] }) },
  },
})
