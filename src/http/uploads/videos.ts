/** Reads the headers of videos in a worker thread, because a header can be very large. */
import type { HeavyTask, HeavyWork } from '../files/heavyWork/index.ts'
import type { Upload } from './uploads.ts'
import type { VideoProperties } from './videoReading.ts'

const task: HeavyTask<string | Uint8Array, VideoProperties> = {
  name: 'readVideo',
  here: async (content) => (await import('./videoReading.ts')).readVideo(content),
}

/** Returns the properties in the header. Throws if the file is truncated or corrupt. */
export const readVideoHeader = (content: Upload['content'], heavyWork: HeavyWork): Promise<VideoProperties> =>
  heavyWork.run(task, 'path' in content ? content.path : content.bytes)
