/** Media. Specification part 1, "Signage"; routes in the order of operations.tsv. */
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Static } from '@sinclair/typebox'
import type { Resource } from '../../http/definition.ts'
import { fieldRendering } from '../../http/fields.ts'
import { linksHoldUntil } from '../../http/fileLinks.ts'
import { filteredText } from '../../http/namedRecords.ts'
import { mustBeUpload, takeForms } from '../../http/multipart.ts'
import { NO_CONTENT, before, noContent, operationsOf, wordsAreAList } from '../../http/operation.ts'
import { numberedPage } from '../../http/pages.ts'
import { everyCallerIn, cachedResponseUntil } from '../../http/responseCache.ts'
import { pageMeta, PageOf } from '../../http/wireShapes.ts'
import { documentedBut } from '../../state/fidelity.ts'
import { storeOf } from '../../state/fileDiscarding.ts'
import { createMedia, deleteMedia, updateMedia, type MediaFields } from '../../state/signage/media.ts'
import { media as mediaRecords } from '../../state/signage/mediaRecords.ts'
import { media as mediaTable } from '../../state/signage/tables.ts'
import { mediaFactsOf } from './mediaFiles.ts'
import { Media, MediaDelete, MediaForm, MediaId, MediaQuery, MediaUpdate } from './schemas/media.ts'
import { mediaFields } from './views.ts'

const mediaText = fieldRendering(mediaTable, mediaRecords, mediaFields)

const mediaOperation = operationsOf({ tag: 'Media' })

const READ = 'grid:media:read'
const WRITE = 'grid:media:write'

/** Bytes that an uploaded file may have: 512 MiB. */
const LARGEST_FILE = 512 * 1024 * 1024

const mediaLists: Resource = async (app) => {
  app.get(
    '/media',
    {
      schema: { querystring: MediaQuery },
      config: mediaOperation({
        id: 'listMedia',
        summary: 'List media',
        scope: READ,
        fidelity: documentedBut(
          'Assumed: the newest first; a search looks into the name, without case and accents; a tag is compared exactly.',
        ),
        names: {
          folder_id: filteredText('folder', mediaRecords, 'folder_id'),
          tag: filteredText('tag', mediaRecords, 'tag'),
        },
        answers: { 200: PageOf(Media) },
      }),
    },
    ({ query, workspace }) => {
      const { page, per_page: perPage, ...filters } = query
      return numberedPage(
        'signage media',
        mediaRecords.list,
        mediaText,
        everyCallerIn(workspace),
        { page, perPage, sort: 'created_at', order: 'desc' },
        filters,
        pageMeta,
        () => linksHoldUntil(workspace),
      )
    },
  )
}

const mediaUpload: Resource = async (app) => {
  takeForms(app, { file: LARGEST_FILE })

  app.post(
    '/media',
    {
      preValidation: wordsAreAList('tags'),
      schema: { body: MediaForm },
      config: mediaOperation({
        id: 'uploadMedia',
        summary: 'Upload an image or a video',
        description: 'Type, size of the picture and length of a video are read from the file.',
        scope: WRITE,
        fidelity: documentedBut(
          'Assumed: a medium is named as its file unless a name is sent; images are PNG, JPEG, GIF, WebP or SVG, videos MP4, WebM or QuickTime, by what the file holds and not by what it is said to be; a file that is cut off or broken behind its header, such as a placeholder, is taken with width, height and duration null, and a file with sound alone is refused; a text of tags may hold several, separated by commas; a file has at most 512 MiB.',
        ),
        answers: { 201: Media },
        refuses: ['conflict'],
      }),
    },
    async ({ body, workspace }, reply) => {
      const upload = mustBeUpload('file', body.file)
      const { generation } = workspace
      const path = storeOf(workspace.database).incoming()
      try {
        await pipeline(upload.stream(), createWriteStream(path))
        const facts = await mediaFactsOf(path, upload, app.heavyWork)
        const medium = await createMedia(
          workspace,
          { path, filename: upload.filename, facts, era: generation },
          fromWire(body),
        )
        reply.code(201)
        return mediaText.one(workspace, medium)
      } finally {
        await rm(path, { force: true })
      }
    },
  )
}

const mediaItems: Resource = async (app) => {
  app.get(
    '/media/:media_id',
    {
      schema: { params: MediaId },
      config: mediaOperation({
        id: 'getMedia',
        summary: 'Get a medium',
        scope: READ,
        fidelity: documentedBut('Assumed: the scope of the list; it is answered bare.'),
        answers: { 200: Media },
      }),
    },
    ({ params, workspace }) =>
      cachedResponseUntil(everyCallerIn(workspace), `medium ${params.media_id}`, () => ({
        text: mediaText.find(workspace, params.media_id) ?? mediaRecords.noSuch(params.media_id),
        until: linksHoldUntil(workspace),
      })),
  )

  app.patch(
    '/media/:media_id',
    {
      preValidation: mustExist,
      schema: { params: MediaId, body: MediaUpdate },
      config: mediaOperation({
        id: 'updateMedia',
        summary: 'Update a medium',
        description: 'Only the fields that are sent change.',
        scope: WRITE,
        fidelity: documentedBut(
          'Assumed: the scope of the upload; the body; null takes it out of its folder, tags are replaced as a whole, and an update without a field changes nothing.',
        ),
        answers: { 200: Media },
      }),
    },
    ({ params, body, workspace }) =>
      mediaText.one(
        workspace,
        updateMedia(workspace, mediaRecords.get(workspace, params.media_id), fromWire(body)),
      ),
  )

  app.delete(
    '/media/:media_id',
    {
      schema: { params: MediaId, querystring: MediaDelete },
      config: mediaOperation({
        id: 'deleteMedia',
        summary: 'Delete a medium',
        description:
          'One that a playlist or a layout uses is a conflict, and with force=true taken out of them: playlists close up and are reckoned anew, zones of layouts show nothing.',
        scope: WRITE,
        fidelity: documentedBut(
          'Assumed: the scope of the upload; every playlist and layout counts, for no state of one is shown; used_by tells them; what was recorded of the medium stays.',
        ),
        answers: NO_CONTENT,
        refuses: ['conflict'],
      }),
    },
    async ({ params, query, workspace }, reply) => {
      await deleteMedia(workspace, mediaRecords.get(workspace, params.media_id), query.force === true)
      return noContent(reply)
    },
  )
}

/** Its upload takes forms and nothing else, the others JSON and nothing else. */
export const media: readonly Resource[] = [mediaLists, mediaUpload, mediaItems]

/** That the medium exists is asked before the body is judged. */
const mustExist = before<{ media_id: string }>(({ workspace }, params) =>
  mediaRecords.getHead(workspace, params.media_id),
)

type Sent = Static<typeof MediaUpdate>

const fromWire = ({ name, folder_id: folderId, tags }: Sent): MediaFields => ({
  ...(name !== undefined && { name }),
  ...(folderId !== undefined && { folderId }),
  ...(tags !== undefined && { tags }),
})
