/** Schemas of customers. Specification part 2, "Integration payments: customer". */
import { Type } from '@sinclair/typebox'
import { documentedLimits, named, Nullable, OneOf } from '../../../http/schemas/schemas.ts'
import { CUSTOMER_STATUSES, customers, PROCESSORS } from '../../../state/integration-payments/tables.ts'
import { shape, valueOf } from '../../../http/shapes/shape.ts'
import { assumedPageQuery, cardFields, Email, filledValue, Id, projectId } from './common.ts'

export const CustomerName = () =>
  filledValue(customers.name, 'Ana Castillo', documentedLimits('minLength', 'maxLength'))

const VaultId = () => filledValue(customers.customerVaultId, 'vault_4kQ2nC8vT1sYx0ZbRj7m')

export const CustomerCreate = named(
  'CustomerCreate',
  Type.Object({
    name: CustomerName(),
    email: Email({ description: 'Several customers may have the same address (assumed).' }),
    phone: Type.Optional(
      Nullable(valueOf(customers.phone, { ...documentedLimits('maxLength'), examples: ['+507 6000 0000'] })),
    ),
  }),
)

export const CustomerVault = named(
  'CustomerVault',
  Type.Object({
    customerVaultId: VaultId(),
    paymentProvider: Type.Optional(
      Nullable(
        OneOf(PROCESSORS, { default: 'processor_a', description: 'The processor that stored the card.' }),
      ),
    ),
    cardLast4: Type.Optional(Nullable(cardFields.cardLast4)),
    cardBrand: Type.Optional(Nullable(cardFields.cardBrand)),
    cardBin: Type.Optional(Nullable(cardFields.cardBin)),
    cardExp: Type.Optional(Nullable(cardFields.cardExp)),
  }),
)

export const Customer = shape({ item: 'Customer' }, customers, {
  fields: () => ({
    id: { schema: Id('cus_') },
    projectId: projectId(),
    name: { schema: CustomerName() },
    email: {
      schema: Email({
        description: 'null only if the fixture or snapshot of the workspace says so (assumed).',
      }),
    },
    phone: { words: { examples: ['+507 6000 0000'] } },
    status: {},
    paymentProvider: { words: { description: 'null until a card is stored.' } },
    customerVaultId: { schema: VaultId() },
    cardLast4: { schema: cardFields.cardLast4 },
    cardBrand: { schema: cardFields.cardBrand },
    cardBin: { schema: cardFields.cardBin },
    cardExp: { schema: cardFields.cardExp },
    createdAt: {},
    updatedAt: {},
  }),
})

export const CustomerId = Type.Object({ id: Id('cus_') })

export const CustomerQuery = Type.Object({
  ...assumedPageQuery,
  status: Type.Optional(OneOf(CUSTOMER_STATUSES)),
})
