/** Reads the header of a video. Only worker threads for heavy work load this file and its dependency. */
import { BufferSource, FilePathSource, Input, MP4, QTFF, WEBM } from 'mediabunny'

export interface VideoProperties {
  /** False if the file has only sound. */
  readonly hasPicture: boolean
  /** In displayed pixels; null without a picture. */
  readonly width: number | null
  readonly height: number | null
  /** null if unknown. */
  readonly durationMs: number | null
}

/** Reads the header of the file at a path, or of the bytes of a file. If it has no duration, computes the duration from the last frames. */
export async function readVideo(content: string | Uint8Array): Promise<VideoProperties> {
  const source = typeof content === 'string' ? new FilePathSource(content) : new BufferSource(content)
  const input = new Input({ formats: [MP4, QTFF, WEBM], source })
  try {
    const track = await input.getPrimaryVideoTrack()
    if (!track) {
      if (await input.getPrimaryAudioTrack()) {
        return { hasPicture: false, width: null, height: null, durationMs: null }
      }
      throw new Error('the file has no track')
    }
    const seconds = (await input.getDurationFromMetadata()) ?? (await input.computeDuration())
    return {
      hasPicture: true,
      width: await track.getDisplayWidth(),
      height: await track.getDisplayHeight(),
      durationMs: Number.isFinite(seconds) ? Math.round(seconds * 1000) : null,
    }
  } finally {
    input.dispose()
  }
}
