/** Wire shapes of the catalogs of the tax authority. Specification part 2, "Tax invoicing". */
import { Type } from '@sinclair/typebox'
import { named } from '../../../http/schemas.ts'
import { pageQuery } from '../../../http/wireShapes.ts'

export const CatalogQuery = Type.Object(pageQuery)

export const SearchQuery = Type.Object({
  ...pageQuery,
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Words of the key or of the description, in any case, with or without accents; what is found holds all of them, each at the beginning of a word; %, _ and \\ are no wildcards (assumed).',
      examples: ['papel'],
    }),
  ),
})

export const CatalogEntry = named(
  'CatalogEntry',
  Type.Object({
    clave: Type.String({ examples: ['G03'] }),
    descripcion: Type.String({ examples: ['Gastos en general.'] }),
  }),
)
