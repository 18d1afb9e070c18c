/** Wire shapes of media. Specification part 1, "Other signage records", "Signage". */
import { Type } from '@sinclair/typebox'
import { File, Form } from '../../../http/multipart.ts'
import { Assumed, Instant, named, Nullable, OneOf } from '../../../http/schemas.ts'
import { demoId, Id, pageQuery } from '../../../http/wireShapes.ts'
import { MEDIA_TYPES } from '../../../state/signage/tables.ts'
import { Name, Search } from './common.ts'

const name = Name('Standing desk')

const Tag = Type.String({
  minLength: 1,
  maxLength: 50,
  pattern: '^[^\\S\\n]*\\S[^\\n]*$',
  'x-wording': 'must be one line that is not blank',
})

const tags = Assumed(
  'The specification shows an array of strings; that a tag has at most 50 characters, and a medium at most 50 tags, is assumed.',
  Type.Array(Tag, {
    maxItems: 50,
    description: 'A tag that is sent twice counts once.',
    examples: [['furniture', 'autumn']],
  }),
)

const folderId = Assumed(
  'The specification shows no folders: a folder is there for as long as something names it.',
  Nullable(Type.String({ minLength: 1, maxLength: 100, examples: ['folder_showroom'] })),
)

/** The smallest file that is one. */
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
        description: 'Each as a field tags[], or several in one, separated by commas (assumed).',
        examples: [['furniture']],
      }),
    ),
  }),
)

export const MediaUpdate = named(
  'MediaUpdate',
  Assumed(
    'The specification shows no body of the update: the fields of an upload but for its file, each optional.',
    Type.Partial(Type.Object({ name, folder_id: folderId, tags })),
  ),
)

const Pixels = () =>
  Nullable(Type.Integer({ minimum: 1, description: 'Read from the file; null if it does not tell.' }))

export const Media = named(
  'Media',
  Assumed(
    'The specification shows no response: what was sent, and what the file tells.',
    Type.Object({
      id: Id('med_'),
      name,
      type: OneOf(MEDIA_TYPES),
      mime_type: Type.String({ description: 'As the content of the file tells.', examples: ['image/png'] }),
      file_size: Type.Integer({ minimum: 0, description: 'In bytes.' }),
      width: Pixels(),
      height: Pixels(),
      duration: Nullable(
        Type.Number({
          minimum: 0,
          description: 'Of a video, in seconds; read from the file, null if it does not tell.',
          examples: [15],
        }),
      ),
      url: Type.String({ format: 'uri', description: 'Loads the file; a link that expires.' }),
      thumbnail_url: Nullable(
        Type.String({ format: 'uri', description: 'Of an image the image itself; null for a video.' }),
      ),
      folder_id: folderId,
      tags,
      status: OneOf(['ready'], { description: 'An upload is ready when it is answered.' }),
      created_at: Instant(),
      updated_at: Instant(),
    }),
  ),
)

/** The example is one that nothing uses, so that it can be deleted. */
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
      description: 'Takes it out of playlists and layouts that use it; false unless it is said.',
    }),
  ),
})
