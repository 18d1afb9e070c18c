/** What the header of a video tells. Runs in the threads of heavy work, whose file alone holds what it takes. */
import { FilePathSource, Input, MP4, QTFF, WEBM } from 'mediabunny'

export interface VideoFacts {
  /** Whether it has anything but sound. */
  readonly hasPicture: boolean
  /** In pixels, as it is shown; null without a picture. */
  readonly width: number | null
  readonly height: number | null
  /** null where nothing tells it. */
  readonly durationMs: number | null
}

/** By its header alone; what that does not tell of its length is reckoned from its last pictures. */
export async function readVideo(path: string): Promise<VideoFacts> {
  const input = new Input({ formats: [MP4, QTFF, WEBM], source: new FilePathSource(path) })
  try {
    const track = await input.getPrimaryVideoTrack()
    if (!track) {
      if (await input.getPrimaryAudioTrack()) {
        return { hasPicture: false, width: null, height: null, durationMs: null }
      }
      throw new Error('there is no track in it')
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
