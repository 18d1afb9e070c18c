/** The attachments of an e-mail: each can be saved, and images, texts and PDF files can be looked at. */
import { useState } from 'preact/hooks'
import type { Schema } from '@suite-sim/client/calling'
import { useAction } from '../api.ts'
import { save, server } from '../server.ts'
import { ErrorMessage } from './common.tsx'
import { Json } from './json.tsx'

type Attachment = Schema<'Email'>['attachments'][number]

interface AttachmentsProps {
  readonly path: { readonly id: string; readonly emailId: string }
  readonly attachments: readonly Attachment[]
}

export const Attachments = ({ path, attachments }: AttachmentsProps) => (
  <ul class="attachments" aria-label="Attachments">
    {attachments.map((attachment, index) => (
      <li key={index}>
        <AttachmentItem attachment={attachment} index={index} path={path} />
      </li>
    ))}
  </ul>
)

/** Larger files are only saved. */
const MAX_PREVIEW_BYTES = 5_242_880

/** Images without scripts: an SVG can have some. */
const IMAGE = /^image\/(?:png|jpeg|gif|webp)\b/
const TEXT = /^(?:text\/|application\/(?:json|xml)\b)/
const PDF = /^application\/pdf\b/

interface ItemProps {
  readonly attachment: Attachment
  readonly index: number
  readonly path: AttachmentsProps['path']
}

function AttachmentItem({ attachment, index, path }: ItemProps) {
  const { filename, contentType, size } = attachment
  const [preview, setPreview] = useState<Preview | null>(null)
  const { isBusy, problem, run } = useAction()
  const hasPreview =
    size <= MAX_PREVIEW_BYTES && [IMAGE, TEXT, PDF].some((pattern) => pattern.test(contentType))
  const load = async (): Promise<Blob> => {
    const response = await server().send('getEmailAttachment', { path: { ...path, index } })
    return response.blob()
  }
  return (
    <>
      <div class="actions">
        <button
          type="button"
          class="small outline"
          onClick={() => {
            run(() => save('getEmailAttachment', { ...path, index }, filename))
          }}
        >
          {filename}
        </button>
        <span class="kind">
          {contentType.split(';')[0]}, {sizeText(size)}
        </span>
        {hasPreview && (
          <button
            type="button"
            class="small outline"
            aria-label={`Preview attachment ${String(index + 1)}`}
            aria-expanded={PDF.test(contentType) ? undefined : preview !== null}
            aria-busy={isBusy}
            onClick={() => {
              if (preview) setPreview(null)
              else {
                run(async () => {
                  setPreview(await previewOf(contentType, await load()))
                })
              }
            }}
          >
            {PDF.test(contentType) ? 'Open' : preview ? 'Hide' : 'Preview'}
          </button>
        )}
      </div>
      <ErrorMessage text={problem} />
      {preview?.kind === 'image' && <img src={preview.url} alt={filename} />}
      {preview?.kind === 'text' && <Json label={filename} value={preview.text} />}
    </>
  )
}

type Preview =
  | { readonly kind: 'image'; readonly url: string }
  | { readonly kind: 'text'; readonly text: string }

/** Returns what the page shows. A PDF opens in a tab, because the policy of the page allows frames of the server only. */
async function previewOf(contentType: string, blob: Blob): Promise<Preview | null> {
  if (TEXT.test(contentType)) return { kind: 'text', text: await blob.text() }
  if (IMAGE.test(contentType)) return { kind: 'image', url: await dataUrlOf(blob) }
  // The type is that of this code, so that the browser never takes the file for a page.
  const url = URL.createObjectURL(new Blob([blob], { type: 'application/pdf' }))
  open(url, '_blank', 'noopener')
  setTimeout(() => {
    URL.revokeObjectURL(url)
  }, 60_000)
  return null
}

const dataUrlOf = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => {
      resolve(reader.result as string)
    }
    reader.onerror = () => {
      reject(new Error('The file cannot be read.'))
    }
    reader.readAsDataURL(blob)
  })

export const sizeText = (bytes: number): string =>
  bytes < 1024
    ? `${String(bytes)} bytes`
    : bytes < 1_048_576
      ? `${(bytes / 1024).toFixed(1)} kB`
      : `${(bytes / 1_048_576).toFixed(1)} MB`
