/** Media. Specification part 1, "Signage"; routes in the order of operations.tsv. */
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { filteredText } from '../../http/lifecycle/namedRecords.ts'
import { mustBeUpload, acceptForms } from '../../http/uploads/multipart.ts'
import { NO_CONTENT, splitWordList } from '../../http/definition/operation.ts'
import { numberedCollection } from '../../http/lists/collection.ts'
import { pageMeta, PageOf } from '../../http/schemas/wireShapes.ts'
import { documented, documentedBut } from '../../state/model/fidelity.ts'
import { storeOf } from '../../state/files/fileCleanup.ts'
import { createMedia, deleteMedia, updateMedia } from '../../state/signage/media.ts'
import { media as mediaRecords } from '../../state/signage/mediaRecords.ts'
import { readMediaProperties } from './mediaFiles.ts'
import { Media, MediaDelete, MediaId, MediaQuery } from './shapes/media.ts'
import { MediaForm } from './shapes/mediaForm.ts'

const collection = numberedCollection({
  records: mediaRecords,
  rendering: Media.rendering(),
  sort: 'created_at',
  meta: pageMeta,
})

const READ = 'grid:media:read'
const WRITE = 'grid:media:write'

/** The maximum size of an uploaded file: 512 MiB. */
const LARGEST_FILE = 512 * 1024 * 1024

const mediaLists: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Media' })

  at('/media').get({
    id: 'listMedia',
    order: collection.order,
    summary: 'List media',
    scope: READ,
    fidelity: documentedBut(
      'Assumed: the newest medium comes first. search matches the name and ignores case and accents. tag must match exactly.',
    ),
    names: {
      folder_id: filteredText('folder', mediaRecords, 'folder_id'),
      tag: filteredText('tag', mediaRecords, 'tag'),
    },
    query: MediaQuery,
    answers: { 200: PageOf(Media.item) },
    run: ({ query: { type, folder_id, search, tag, ...query }, caller }) =>
      collection.page(caller, query, { type, folder_id, search, tag }),
  })
}

const mediaUpload: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Media' })

  acceptForms(app, { file: LARGEST_FILE })

  at('/media').post({
    id: 'uploadMedia',
    summary: 'Upload an image or a video',
    description:
      'The server reads the type, the width and height, and the duration of a video from the file.',
    scope: WRITE,
    fidelity: documentedBut(
      'Assumed: the default name is the file name. Images are PNG, JPEG, GIF, WebP or SVG; videos are MP4, WebM or QuickTime. The server detects the type from the content and ignores the declared type. It accepts a file that is truncated or corrupt after its header, such as a placeholder or half an upload, with width, height and duration null and a hint in the request log. It refuses a file that has only sound. tags can contain several tags, separated by commas. A file has at most 512 MiB.',
    ),
    body: MediaForm,
    before: splitWordList('tags'),
    answers: { 201: Media.item },
    refuses: ['conflict'],
    async run({ body, workspace }, reply) {
      const upload = mustBeUpload('file', body.file)
      const { generation } = workspace
      const path = storeOf(workspace.database).incoming()
      try {
        await pipeline(upload.stream(), createWriteStream(path))
        const facts = await readMediaProperties(path, upload, app.heavyWork)
        const medium = await createMedia(
          workspace,
          { path, filename: upload.filename, facts, generation: generation },
          Media.parse(workspace, body),
        )
        reply.code(201)
        return collection.text(workspace, medium)
      } finally {
        await rm(path, { force: true })
      }
    },
  })
}

const mediaItems: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Media' })
  const item = at('/media/:media_id', { params: MediaId, record: mediaRecords })

  item.get({
    id: 'getMedia',
    summary: 'Get a medium',
    fidelity: documented,
    answers: { 200: Media.item },
    run: ({ params, workspace }) => collection.get(workspace, params.media_id),
  })

  item.patch({
    id: 'updateMedia',
    summary: 'Update a medium',
    description: 'Changes only the fields in the request body.',
    fidelity: documentedBut(
      'Assumed: a folder_id of null removes the medium from its folder. tags replaces all tags. An update that changes nothing keeps the time of the last change and sends no event.',
    ),
    body: Media.update,
    answers: { 200: Media.item },
    run: ({ record: medium, body, workspace }) =>
      collection.text(workspace, updateMedia(workspace, medium, Media.parse(workspace, body))),
  })

  item.delete({
    id: 'deleteMedia',
    summary: 'Delete a medium',
    description:
      'Returns 409 when a playlist or a layout uses the medium. force=true removes it from them first: the items of playlists are renumbered, and zones of layouts become empty.',
    fidelity: documentedBut(
      'Assumed: every playlist and layout counts as a user, because the specification shows no states of them. used_by lists the users. The playbacks of the medium stay.',
    ),
    query: MediaDelete,
    answers: NO_CONTENT,
    refuses: ['conflict'],
    documentedStatuses: [409],
    run: ({ record, query, workspace }) => deleteMedia(workspace, record, query.force === true),
  })
}

/** Separate resources, because the upload accepts only forms and the other routes only JSON. */
export const media: readonly Resource[] = [mediaLists, mediaUpload, mediaItems]
