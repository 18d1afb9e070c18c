/** The upload of a medium. It has its own file, so that a start does not load forms. */
import { Type } from '@sinclair/typebox'
import { named } from '../../../http/schemas/schemas.ts'
import { valueOf } from '../../../http/shapes/shape.ts'
import { File, Form } from '../../../http/uploads/multipart.ts'
import { media } from '../../../state/signage/tables.ts'
import { nameField } from './common.ts'
import { FolderId, Tag } from './media.ts'

/** A minimal valid file. */
const EXAMPLE_FILE = '<svg xmlns="http://www.w3.org/2000/svg" width="1920" height="1080"/>'

const { words } = nameField('Standing desk')

export const MediaForm = named(
  'MediaForm',
  Form({
    file: File('An image or a video.', EXAMPLE_FILE),
    name: Type.Optional(valueOf(media.name, words)),
    folder_id: Type.Optional(FolderId()),
    tags: Type.Optional(
      valueOf(media.tags, {
        items: Tag(),
        description: 'One field tags[] per tag, or several tags in one field, separated by commas (assumed).',
        examples: [['furniture']],
      }),
    ),
  }),
)
