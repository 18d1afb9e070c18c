/** Wire shapes of clients. Specification part 2, "Tax invoicing". */
import { Type } from '@sinclair/typebox'
import { Assumed, Instant, Int, named, Nullable, OneOf } from '../../../http/schemas/schemas.ts'
import { demoId, Id, pageQuery, Text } from '../../../http/schemas/wireShapes.ts'
import { WARNINGS } from '../../../state/tax-invoicing/masterData/clientWarnings.ts'
import { LONGEST_CLIENT_NAME, LONGEST_PHONE } from '../../../state/tax-invoicing/tables.ts'
import { Email, SortOrder } from './common.ts'

const Key = (maxLength: number, description: string, example: string) =>
  Type.String({ minLength: 1, maxLength, description, examples: [example] })

const rfc = Key(20, 'Case-insensitive. Spaces and dashes are ignored (assumed).', 'XIA190128J61')

const sent = {
  regimen_fiscal: Type.Optional(Nullable(Key(3, 'A key of /sat-catalogs/tax-regimes.', '601'))),
  domicilio_fiscal: Type.Optional(
    Nullable(
      Type.String({
        pattern: '^\\d{5}$',
        'x-wording': 'must be a postal code of five digits',
        description: 'The postal code of the tax domicile.',
        examples: ['76343'],
      }),
    ),
  ),
  uso_cfdi_default: Type.Optional(
    Nullable(Key(4, 'A key of /sat-catalogs/cfdi-uses that is allowed for the regime.', 'G03')),
  ),
  email: Type.Optional(Nullable(Email('compras@example.com'))),
  telefono: Type.Optional(Nullable(Text(LONGEST_PHONE, '+52 442 555 0100'))),
}

const nombre = Text(LONGEST_CLIENT_NAME, 'XENON INDUSTRIAL ARTICLES')

export const ClientCreate = named('ClientCreate', Type.Object({ rfc, nombre, ...sent }))

export const ClientUpdate = named(
  'ClientUpdate',
  Assumed(
    'The specification does not show the request body. It has the fields of a new client, all optional.',
    Type.Object({ rfc: Type.Optional(rfc), nombre: Type.Optional(nombre), ...sent }),
  ),
)

const client = {
  id: Id('cli_'),
  rfc: Type.String({ examples: ['URE180429TM6'] }),
  nombre: Type.String({ examples: ['UNIVERSIDAD ROBOTICA ESPAÑOLA'] }),
  regimen_fiscal: Nullable(Type.String({ examples: ['601'] })),
  domicilio_fiscal: Nullable(Type.String({ examples: ['86991'] })),
  uso_cfdi_default: Nullable(Type.String({ examples: ['G03'] })),
  email: Nullable(Email('cuentas@example.com')),
  telefono: Nullable(Type.String()),
  invoice_count: Int({
    minimum: 0,
    description:
      'The number of invoices to this tax id, including cancelled ones, without payment receipts (assumed).',
  }),
  total_facturado: Type.Number({
    description: 'Income invoices less credit notes, without cancelled ones, in MXN (assumed).',
  }),
  created_at: Instant(),
}

export const Client = named('Client', Type.Object(client))

/** A client with the warnings of the registry. */
export const CheckedClient = named(
  'CheckedClient',
  Type.Object({
    ...client,
    warnings: Assumed(
      'The specification mentions a warning, but not its form. The list is empty if there are no warnings.',
      Type.Array(
        Type.Object({
          code: OneOf(WARNINGS),
          message: Type.String(),
        }),
      ),
    ),
  }),
)

/** The client of the demo workspace without invoices, so that the example can delete it. */
const WITHOUT_INVOICES = 7

export const ClientId = Type.Object({
  client_id: Id('cli_', { examples: [demoId('cli_', WITHOUT_INVOICES)] }),
})

export const ClientQuery = Type.Object({
  ...pageQuery,
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Part of the tax id, the name or the e-mail address. Ignores case and accents (assumed).',
    }),
  ),
  regimen_fiscal: Type.Optional(Type.String({ maxLength: 3, examples: ['601'] })),
  sort_by: OneOf(['name', 'rfc', 'created_at', 'invoice_count'], { default: 'created_at' }),
  sort_order: SortOrder('desc'),
})
