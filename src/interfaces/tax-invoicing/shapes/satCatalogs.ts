/** Wire shapes of the catalogs of the tax authority. Specification part 2, "Tax invoicing". */
import { Type } from '@sinclair/typebox'
import { named, SearchText } from '../../../http/schemas/schemas.ts'
import { pageQuery } from './common.ts'

export const CatalogQuery = Type.Object(pageQuery)

export const SearchQuery = Type.Object({
  ...pageQuery,
  search: Type.Optional(
    SearchText({
      maxLength: 200,
      description:
        'Words of the key or of the description. Each word must match the beginning of a word of the entry. Ignores case and accents. %, _ and \\ are not wildcards (assumed).',
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
