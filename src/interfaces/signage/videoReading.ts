/** What the header of a video tells. Runs in the threads of heavy work, whose file alone holds what it takes. */
import { FilePathSource, Input, MP4, QTFF, WEBM } from 'mediabunny'

export interface VideoFacts {
  /** In pixels, as it is shown. */
  readonly width: number
  readonly height: number
  /** null where nothing tells it. */
  readonly durationMs: number | null
}

/** By its header alone; what that does not tell of its length is reckoned from its last pictures. */
export async function readVideo(path: string): Promise<VideoFacts> {
  const input = new Input({ formats: [MP4, QTFF, WEBM], source: new FilePathSource(path) })
  try {
    const track = await input.getPrimaryVideoTrack()
    if (!track) throw new Error('there is no picture in it')
    const seconds = (await input.getDurationFromMetadata()) ?? (await input.computeDuration())
    return {
      width: await track.getDisplayWidth(),
      height: await track.getDisplayHeight(),
      durationMs: Number.isFinite(seconds) ? Math.round(seconds * 1000) : null,
    }
  } finally {
    input.dispose()
  }
}
