/** Wire shapes of clients. Specification part 2, "Tax invoicing". */
import { Type } from '@sinclair/typebox'
import { Assumed, Instant, Int, named, Nullable, OneOf } from '../../../http/schemas.ts'
import { demoId, Id, pageQuery, Text } from '../../../http/wireShapes.ts'
import { WARNINGS } from '../../../state/tax-invoicing/clientWarnings.ts'
import { LONGEST_NAME, LONGEST_PHONE } from '../../../state/tax-invoicing/clients.ts'
import { Email, SortOrder } from './common.ts'

const Key = (maxLength: number, description: string, example: string) =>
  Type.String({ minLength: 1, maxLength, description, examples: [example] })

const rfc = Key(20, 'In any case; spaces and dashes do not count (assumed).', 'XIA190128J61')

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
    Nullable(Key(4, 'A key of /sat-catalogs/cfdi-uses that is for the regime.', 'G03')),
  ),
  email: Type.Optional(Nullable(Email('compras@example.com'))),
  telefono: Type.Optional(Nullable(Text(LONGEST_PHONE, '+52 442 555 0100'))),
}

const nombre = Text(LONGEST_NAME, 'XENON INDUSTRIAL ARTICLES')

export const ClientCreate = named('ClientCreate', Type.Object({ rfc, nombre, ...sent }))

export const ClientUpdate = named(
  'ClientUpdate',
  Assumed(
    'The body is not shown: the fields of a new client, each of which may be left out.',
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
    description: 'Invoices to this tax id, cancelled ones included, payment receipts not (assumed).',
  }),
  total_facturado: Type.Number({
    description: 'In MXN: income less credit notes, without those that are cancelled (assumed).',
  }),
  created_at: Instant(),
}

export const Client = named('Client', Type.Object(client))

/** A client with what the registry says of its tax id. */
export const CheckedClient = named(
  'CheckedClient',
  Type.Object({
    ...client,
    warnings: Assumed(
      'That there is a warning is shown, and not how: empty where there is nothing to say.',
      Type.Array(
        Type.Object({
          code: OneOf(WARNINGS),
          message: Type.String(),
        }),
      ),
    ),
  }),
)

/** The client of the demo workspace that has no invoice yet, so that it can be deleted. */
const WITHOUT_INVOICES = 7

export const ClientId = Type.Object({
  client_id: Id('cli_', { examples: [demoId('cli_', WITHOUT_INVOICES)] }),
})

export const ClientQuery = Type.Object({
  ...pageQuery,
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Part of the tax id, name or e-mail address, in any case, with or without accents (assumed).',
    }),
  ),
  regimen_fiscal: Type.Optional(Type.String({ maxLength: 3, examples: ['601'] })),
  sort_by: OneOf(['name', 'rfc', 'created_at', 'invoice_count'], { default: 'created_at' }),
  sort_order: SortOrder('desc'),
})
