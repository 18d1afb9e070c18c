/** The form that imports candidates, and the rows of its file. Specification part 1, "Recruiting". */
import { Type } from '@sinclair/typebox'
import { File, Form } from '../../../http/uploads/multipart.ts'
import { named, OneOf } from '../../../http/schemas/schemas.ts'
import { Text } from '../../../http/schemas/wireShapes.ts'
import { AVAILABILITIES } from '../../../state/recruiting/jsonColumns.ts'
import { Country, Email, Words, Years } from './common.ts'

export const ImportForm = named(
  'CandidateImportForm',
  Form({
    file: File(
      'CSV, XLSX or JSON (a list of objects).',
      'name,email,skills\nIsabel Rojas,isabel.rojas@example.com,"sewing, leather"\n',
    ),
    source: Type.Optional(Text(50, 'job_fair', { description: 'The source of rows without one (assumed).' })),
    tags: Type.Optional(
      Type.Array(Type.String({ maxLength: 2000 }), {
        maxItems: 50,
        description:
          'Tags for all candidates of the file. Repeat the field, or separate tags by commas (assumed).',
        examples: [['pool', 'autumn']],
      }),
    ),
  }),
)

/** A row of a file after its columns are mapped to fields. */
export const ImportedCandidate = Type.Object({
  name: Text(200, 'Isabel Rojas'),
  email: Email('isabel.rojas@example.com'),
  phone: Type.Optional(Type.String({ maxLength: 40 })),
  country: Type.Optional(Country()),
  city: Type.Optional(Type.String({ maxLength: 100 })),
  experience_years: Type.Optional(Years()),
  skills: Type.Optional(Words(50, ['sewing'])),
  availability: Type.Optional(OneOf(AVAILABILITIES)),
  summary: Type.Optional(Type.String({ maxLength: 5000 })),
  linkedin_url: Type.Optional(Type.String({ format: 'uri', maxLength: 500 })),
  portfolio_url: Type.Optional(Type.String({ format: 'uri', maxLength: 500 })),
  source: Type.Optional(Text(50, 'job_fair')),
  tags: Type.Optional(Words(50, ['pool'])),
})
