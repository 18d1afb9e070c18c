/**
 * Stamps invoices, compared with one bare RSA-SHA256 signature each; downloads thousands of XML files, and
 * prints a long invoice.
 */
import { Client, request } from '../load.ts'
import { Companion, residentMemory, scratch } from '../processes.ts'
import { atLeast, type Row } from '../report.ts'
import { alternate } from '../rounds.ts'
import { CONNECTIONS, type Settings } from '../settings.ts'
import { Simulator } from '../simulator.ts'
import { answerOf, INVOICES, instantOf, grownFixture } from '../subjects.ts'

const HEADER = 'authorization: Bearer demo-key'
const BASE = '/einvoicing/v1'

const BATCH = 100
const CONCEPTS = 60

const DAY_MS = 86_400_000

const lines = (count: number): object[] =>
  Array.from({ length: count }, (_, index) => ({
    clave_prod_serv: '56101500',
    descripcion: `Silla de oficina ${String(index)}`,
    cantidad: 1 + index,
    clave_unidad: 'H87',
    valor_unitario: 1000,
    objeto_imp: '02',
    impuestos: { traslados: [{ impuesto: '002', tipo_factor: 'Tasa', tasa: 0.16 }], retenciones: [] },
  }))

const invoice = (concepts: number): object => ({
  type: 'I',
  receptor: {
    rfc: 'URE180429TM6',
    nombre: 'UNIVERSIDAD ROBOTICA ESPAÑOLA',
    regimen_fiscal: '601',
    domicilio_fiscal: '86991',
    uso_cfdi: 'G03',
  },
  conceptos: lines(concepts),
  metodo_pago: 'PUE',
  forma_pago: '03',
})

export async function invoicing(settings: Settings, note: (text: string) => void): Promise<Row[]> {
  const file = scratch('invoicing.sqlite')
  const simulator = await Simulator.start(file, grownFixture([INVOICES], settings.records / 10))
  const signer = new Companion<{ forMs: number }, number>('bare-sign')
  const post = (path: string, body: object) =>
    answerOf(simulator, HEADER, { method: 'POST', path: BASE + path, route: BASE + path, body })
  const client = new Client()
  const stamp = (body: object, path: string): string => request('POST', BASE + path, body, HEADER)
  await client.prepare('stamp', [stamp(invoice(1), '/invoices')])
  const batch = { invoices: Array.from({ length: BATCH }, () => invoice(1)) }
  await client.prepare('batch', [stamp(batch, '/invoices/batch')])
  // Waits for all responses: batches that share the server end together, and wrk ignores those after its time.
  const rate = async (load: string, each: number) => {
    const requests = CONNECTIONS * Math.ceil((settings.seconds * 1000) / CONNECTIONS / each)
    const seconds = await client.secondsFor(simulator.url, load, requests, CONNECTIONS)
    return (each * requests) / seconds
  }
  const measureStamps = async (load: string, each: number) => {
    await rate(load, each)
    return alternate(
      { ours: () => rate(load, each), theirs: () => signer.ask({ forMs: settings.seconds * 1000 }) },
      settings.rounds,
    )
  }
  const beside = { unit: '/s', beside: 'bare RSA-SHA256 signatures', target: atLeast(0.3) } as const
  const rows: Row[] = [
    { what: 'invoices stamped', ...(await measureStamps('stamp', 1)), ...beside },
    {
      what: `invoices stamped, in batches of ${String(BATCH)}`,
      ...(await measureStamps('batch', BATCH)),
      ...beside,
    },
    await zipRow(settings, simulator, note),
    await printedRow(settings, simulator, post),
  ]
  await Promise.all([simulator.stop(), signer.stop(), client.stop()])
  return rows
}

/** Downloads all XML files of the copied invoices, compared with a small response. */
async function zipRow(settings: Settings, simulator: Simulator, note: (text: string) => void): Promise<Row> {
  const path = `${BASE}/reports/xml-download?from=${instantOf(-DAY_MS).slice(0, 10)}&to=${instantOf(DAY_MS).slice(0, 10)}`
  const before = residentMemory(simulator.child)
  let highest = before
  let bytes = 0
  const watch = setInterval(() => (highest = Math.max(highest, residentMemory(simulator.child))), 50)
  const timed = async (path: string): Promise<number> => {
    const began = performance.now()
    const answer = await fetch(simulator.url + path, { headers: { authorization: 'Bearer demo-key' } })
    if (!answer.ok) throw new Error(`${path} failed: ${await answer.text()}`)
    let length = 0
    for await (const chunk of answer.body ?? []) length += (chunk as Uint8Array).length
    bytes = Math.max(bytes, length)
    return performance.now() - began
  }
  const figures = await alternate(
    { ours: () => timed(path), theirs: () => timed(`${BASE}/invoices?per_page=1`) },
    settings.rounds,
  )
  clearInterval(watch)
  const count = (settings.records / 10).toLocaleString('en')
  note(
    `invoicing: a ZIP of ${(bytes / 1e6).toFixed(1)} MB; resident memory went from ${before.toFixed(0)} to at most ${highest.toFixed(0)} MB.`,
  )
  return { what: `ZIP of ${count} XML`, unit: 'ms', ...figures, beside: 'a list of one invoice' }
}

async function printedRow(
  settings: Settings,
  simulator: Simulator,
  post: (path: string, body: object) => Promise<{ body: unknown }>,
): Promise<Row> {
  const print = async (concepts: number): Promise<() => Promise<number>> => {
    const { body } = await post('/invoices', invoice(concepts))
    const { id } = body as { id: string }
    return async () => {
      const began = performance.now()
      const answer = await fetch(`${simulator.url}${BASE}/invoices/${id}/pdf`, {
        headers: { authorization: 'Bearer demo-key' },
      })
      if (!answer.ok) throw new Error(`printing failed: ${await answer.text()}`)
      await answer.arrayBuffer()
      return performance.now() - began
    }
  }
  const [ours, theirs] = [await print(CONCEPTS), await print(1)]
  await ours()
  return {
    what: `printed form (PDF) of ${String(CONCEPTS)} concepts`,
    unit: 'ms',
    ...(await alternate({ ours, theirs }, settings.rounds)),
    beside: 'that of one concept',
  }
}
