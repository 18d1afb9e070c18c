/** Media on the wire. Specification part 1, "Other signage records", "Signage". */
import { Type } from '@sinclair/typebox'
import { Assumed, Nullable, OneOf } from '../../../http/schemas/schemas.ts'
import { demoId, Id, pageQuery } from '../../../http/schemas/wireShapes.ts'
import { made, shape } from '../../../http/shapes/shape.ts'
import { media, MEDIA_TYPES, tag } from '../../../state/signage/tables.ts'
import { fileUrlOf } from '../addresses.ts'
import { nameField, Search, seconds } from './common.ts'

export const FolderId = () => Type.String({ minLength: 1, maxLength: 100, examples: ['folder_showroom'] })

export const Tag = () => ({
  ...tag(),
  'x-wording': 'must be one line with at least one non-blank character',
})

const Pixels = () => Type.Integer({ minimum: 1, description: 'Read from the file. null if unknown.' })

export const Media = shape({ item: 'Media', update: 'MediaUpdate' }, media, {
  assumed:
    'The specification does not show the response; a record has the fields of the request and the properties of the file, and no envelope.',
  fields: () => ({
    id: { schema: Id('med_') },
    name: { ...nameField('Standing desk'), sent: 'update' },
    type: {},
    mime_type: {
      words: { description: 'Detected from the content of the file.', examples: ['image/png'] },
    },
    file_size: { schema: Type.Integer({ minimum: 0, description: 'In bytes.' }) },
    width: { schema: Pixels() },
    height: { schema: Pixels() },
    duration: made(
      Nullable(
        Type.Number({
          minimum: 0,
          description: 'The duration of a video in seconds, read from the file. null if unknown.',
          examples: [15],
        }),
      ),
      [media.durationMs],
      ([ms]) => (ms === null ? null : seconds(ms)),
    ),
    url: made(
      Type.String({ format: 'uri', description: 'The link to the file. It expires.' }),
      [media.fileId, media.fileName],
      ([fileId, fileName], workspace) => fileUrlOf({ fileId, fileName }, workspace),
    ),
    thumbnail_url: made(
      Nullable(
        Type.String({ format: 'uri', description: 'For an image, the image itself. null for a video.' }),
      ),
      [media.type, media.fileId, media.fileName],
      ([type, fileId, fileName], workspace) =>
        type === 'image' ? fileUrlOf({ fileId, fileName }, workspace) : null,
    ),
    folder_id: {
      sent: 'update',
      assumed:
        'The specification does not show folders as records. In the simulator, a folder exists as long as a medium names it.',
      schema: FolderId(),
    },
    tags: {
      sent: 'update',
      bounded: true,
      words: {
        items: Tag(),
        description: 'Duplicate tags are stored once.',
        examples: [['furniture', 'autumn']],
      },
    },
    status: made(
      OneOf(['ready'], { description: 'An upload is ready when the response is sent.' }),
      [],
      () => 'ready' as const,
    ),
    created_at: {},
    updated_at: {},
  }),
  update: Assumed(
    'The specification does not show a body of the update. The simulator accepts the fields of an upload except the file, all optional.',
    {},
  ),
})

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
      description: 'Removes the medium from the playlists and layouts that use it. Default: false (assumed).',
    }),
  ),
})
