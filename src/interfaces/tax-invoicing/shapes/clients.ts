/** Clients on the wire. Specification part 2, "Tax invoicing". */
import { Type } from '@sinclair/typebox'
import { Assumed, assumedDefault, OneOf, SearchText } from '../../../http/schemas/schemas.ts'
import { demoId, Id } from '../../../http/schemas/wireShapes.ts'
import { made, shape } from '../../../http/shapes/shape.ts'
import { WARNINGS, warningsOf } from '../../../state/tax-invoicing/masterData/clientWarnings.ts'
import { clients } from '../../../state/tax-invoicing/tables.ts'
import { Email, notBlank, pageQuery, postalCode, SentRfc, SortOrder, xmlText } from './common.ts'

/** A key of a catalog. Unknown keys pass the schema; the state refuses them with the authority's code. */
const Key = (maxLength: number, description: string, example: string) =>
  Type.String({ minLength: 1, maxLength, description, examples: [example] })

export const Client = shape({ item: 'Client', create: 'ClientCreate', update: 'ClientUpdate' }, clients, {
  fields: () => ({
    id: { schema: Id('cli_') },
    rfc: {
      sent: 'both',
      required: true,
      body: SentRfc('Case-insensitive. Spaces and dashes are ignored (assumed).', 'XIA190128J61'),
      shows: { examples: ['URE180429TM6'] },
    },
    nombre: {
      sent: 'both',
      required: true,
      takes: xmlText('XENON INDUSTRIAL ARTICLES', {
        description: 'Repeated spaces and line breaks become one space, as in invoices (assumed).',
      }),
      shows: { examples: ['UNIVERSIDAD ROBOTICA ESPAÑOLA'] },
    },
    regimen_fiscal: {
      sent: 'both',
      body: Key(3, 'A key of /sat-catalogs/tax-regimes.', '601'),
      shows: { examples: ['601'] },
    },
    domicilio_fiscal: {
      sent: 'both',
      body: postalCode('The postal code of the tax domicile.', '76343'),
      shows: { examples: ['86991'] },
    },
    uso_cfdi_default: {
      sent: 'both',
      body: Key(4, 'A key of /sat-catalogs/cfdi-uses that is allowed for the regime.', 'G03'),
      shows: { examples: ['G03'] },
    },
    email: {
      sent: 'both',
      schema: Email('cuentas@example.com'),
      body: Email('compras@example.com'),
    },
    telefono: { sent: 'both', takes: notBlank('+52 442 555 0100') },
    invoice_count: {
      bounded: true,
      words: {
        description:
          'The number of invoices to this tax id, including cancelled ones, without payment receipts (assumed).',
      },
    },
    total_facturado: made(
      Type.Number({
        description: 'Income invoices less credit notes, without cancelled ones, in MXN (assumed).',
      }),
      [clients.invoicedCents],
      ([cents]) => cents / 100,
    ),
    created_at: {},
  }),
  update: Assumed(
    'The specification does not show the request body. It has the fields of a new client, all optional.',
    {},
  ),
})

/** A client with the warnings of the registry. */
export const CheckedClient = shape({ item: 'CheckedClient' }, clients, {
  fields: () => ({
    ...Client.fields(),
    warnings: made(
      Assumed(
        'The specification mentions a warning, but not its form. The list is empty if there are no warnings.',
        Type.Array(Type.Object({ code: OneOf(WARNINGS), message: Type.String() })),
      ),
      [clients.rfc, clients.nombre, clients.regimenFiscal, clients.domicilioFiscal],
      ([rfc, nombre, regimenFiscal, domicilioFiscal], workspace) =>
        warningsOf(workspace, { rfc, nombre, regimenFiscal, domicilioFiscal }),
    ),
  }),
})

/** The client of the demo workspace without invoices, so that the example can delete it. */
const WITHOUT_INVOICES = 7

export const ClientId = Type.Object({
  client_id: Id('cli_', { examples: [demoId('cli_', WITHOUT_INVOICES)] }),
})

export const ClientQuery = Type.Object({
  ...pageQuery,
  search: Type.Optional(
    SearchText({
      maxLength: 200,
      description: 'Part of the tax id, the name or the e-mail address. Ignores case and accents (assumed).',
    }),
  ),
  regimen_fiscal: Type.Optional(Type.String({ maxLength: 3, examples: ['601'] })),
  sort_by: OneOf(['name', 'rfc', 'created_at', 'invoice_count'], assumedDefault('created_at')),
  sort_order: SortOrder('desc'),
})
