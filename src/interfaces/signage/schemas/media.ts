/** Wire shapes of media. Specification part 1, "Other signage records", "Signage". */
import { Type } from '@sinclair/typebox'
import { File, Form } from '../../../http/uploads/multipart.ts'
import { Assumed, Instant, named, Nullable, OneOf } from '../../../http/schemas/schemas.ts'
import { demoId, Id, pageQuery } from '../../../http/schemas/wireShapes.ts'
import { MEDIA_TYPES } from '../../../state/signage/tables.ts'
import { Name, Search } from './common.ts'

const name = Name('Standing desk')

const Tag = Type.String({
  minLength: 1,
  maxLength: 50,
  pattern: '^[^\\S\\n]*\\S[^\\n]*$',
  'x-wording': 'must be one line with at least one non-blank character',
})

const tags = Assumed(
  'The specification shows an array of strings. Assumed: a tag has at most 50 characters, and a medium at most 50 tags.',
  Type.Array(Tag, {
    maxItems: 50,
    description: 'Duplicate tags are stored once.',
    examples: [['furniture', 'autumn']],
  }),
)

const folderId = Assumed(
  'The specification does not show folders as records. In the simulator, a folder exists as long as a medium names it.',
  Nullable(Type.String({ minLength: 1, maxLength: 100, examples: ['folder_showroom'] })),
)

/** A minimal valid file. */
const EXAMPLE_FILE = '<svg xmlns="http://www.w3.org/2000/svg" width="1920" height="1080"/>'

export const MediaForm = named(
  'MediaForm',
  Form({
    file: File('An image or a video.', EXAMPLE_FILE),
    name: Type.Optional(name),
    folder_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100, examples: ['folder_showroom'] })),
    tags: Type.Optional(
      Type.Array(Tag, {
        maxItems: 50,
        description: 'One field tags[] per tag, or several tags in one field, separated by commas (assumed).',
        examples: [['furniture']],
      }),
    ),
  }),
)

export const MediaUpdate = named(
  'MediaUpdate',
  Assumed(
    'The specification does not show a body of the update. The simulator accepts the fields of an upload except the file, all optional.',
    Type.Partial(Type.Object({ name, folder_id: folderId, tags })),
  ),
)

const Pixels = () =>
  Nullable(Type.Integer({ minimum: 1, description: 'Read from the file. null if unknown.' }))

export const Media = named(
  'Media',
  Assumed(
    'The specification does not show a response. The simulator returns the fields of the request and the properties of the file.',
    Type.Object({
      id: Id('med_'),
      name,
      type: OneOf(MEDIA_TYPES),
      mime_type: Type.String({
        description: 'Detected from the content of the file.',
        examples: ['image/png'],
      }),
      file_size: Type.Integer({ minimum: 0, description: 'In bytes.' }),
      width: Pixels(),
      height: Pixels(),
      duration: Nullable(
        Type.Number({
          minimum: 0,
          description: 'The duration of a video in seconds, read from the file. null if unknown.',
          examples: [15],
        }),
      ),
      url: Type.String({ format: 'uri', description: 'The link to the file. It expires.' }),
      thumbnail_url: Nullable(
        Type.String({ format: 'uri', description: 'For an image, the image itself. null for a video.' }),
      ),
      folder_id: folderId,
      tags,
      status: OneOf(['ready'], { description: 'An upload is ready when the response is sent.' }),
      created_at: Instant(),
      updated_at: Instant(),
    }),
  ),
)

/** The example is an unused demo medium, so that the example of DELETE works. */
export const MediaId = Type.Object({ media_id: Id('med_', { examples: [demoId('med_', 5)] }) })

export const MediaQuery = Type.Object({
  ...pageQuery,
  type: Type.Optional(OneOf(MEDIA_TYPES)),
  folder_id: Type.Optional(Type.String({ maxLength: 100, examples: ['folder_showroom'] })),
  search: Search(),
  tag: Type.Optional(Type.String({ maxLength: 50 })),
})

export const MediaDelete = Type.Object({
  force: Type.Optional(
    Type.Boolean({
      description: 'Removes the medium from the playlists and layouts that use it. Default: false.',
    }),
  ),
})
