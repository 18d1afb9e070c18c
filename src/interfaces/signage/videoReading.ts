/** Reads the header of a video. Only worker threads for heavy work load this file and its dependency. */
import { FilePathSource, Input, MP4, QTFF, WEBM } from 'mediabunny'

export interface VideoProperties {
  /** False if the file has only sound. */
  readonly hasPicture: boolean
  /** In displayed pixels; null without a picture. */
  readonly width: number | null
  readonly height: number | null
  /** null if unknown. */
  readonly durationMs: number | null
}

/** Reads the header. If it has no duration, computes the duration from the last frames. */
export async function readVideo(path: string): Promise<VideoProperties> {
  const input = new Input({ formats: [MP4, QTFF, WEBM], source: new FilePathSource(path) })
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
