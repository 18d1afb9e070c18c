/** Schemas of customers. Specification part 2, "Integration payments: customer". */
import { Type } from '@sinclair/typebox'
import { Assumed, Instant, named, Nullable, OneOf } from '../../../http/schemas/schemas.ts'
import { LONGEST_VAULT_ID } from '../../../state/integration-payments/customers.ts'
import { CUSTOMER_STATUSES, PROCESSORS } from '../../../state/integration-payments/tables.ts'
import { assumedPageQuery } from '../envelope.ts'
import { Text } from '../../../http/schemas/wireShapes.ts'
import { cardFields, Email, Id, ProjectId } from './common.ts'

export const CustomerName = () => Text(120, 'Ana Castillo')

const VaultId = () => Text(LONGEST_VAULT_ID, 'vault_4kQ2nC8vT1sYx0ZbRj7m')

export const CustomerCreate = named(
  'CustomerCreate',
  Type.Object({
    name: CustomerName(),
    email: Email({ description: 'Several customers may have the same address (assumed).' }),
    phone: Type.Optional(Type.String({ maxLength: 40, examples: ['+507 6000 0000'] })),
  }),
)

export const CustomerVault = named(
  'CustomerVault',
  Type.Object({
    customerVaultId: Assumed('The specification shows no maximum length.', VaultId()),
    paymentProvider: Type.Optional(
      OneOf(PROCESSORS, { default: 'processor_a', description: 'The processor that stored the card.' }),
    ),
    ...Type.Partial(Type.Object(cardFields)).properties,
  }),
)

export const Customer = named(
  'Customer',
  Type.Object({
    id: Id('cus_'),
    projectId: ProjectId(),
    name: CustomerName(),
    email: Nullable(
      Email({
        description: 'null only if the fixture or snapshot of the workspace says so (assumed).',
      }),
    ),
    phone: Nullable(Type.String({ examples: ['+507 6000 0000'] })),
    status: OneOf(CUSTOMER_STATUSES),
    paymentProvider: Nullable(OneOf(PROCESSORS, { description: 'null until a card is stored.' })),
    customerVaultId: Nullable(VaultId()),
    cardLast4: Nullable(cardFields.cardLast4),
    cardBrand: Nullable(cardFields.cardBrand),
    cardBin: Nullable(cardFields.cardBin),
    cardExp: Nullable(cardFields.cardExp),
    createdAt: Instant(),
    updatedAt: Instant(),
  }),
)

export const CustomerId = Type.Object({ id: Id('cus_') })

export const CustomerQuery = Type.Object({
  ...assumedPageQuery,
  status: Type.Optional(OneOf(CUSTOMER_STATUSES)),
})
