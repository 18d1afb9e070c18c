/** Recordings for tests: a file that the command can read, and a replay of it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Recording } from '../../src/command/replay/format/recording.ts'
import { readRecording } from '../../src/command/replay/recordingFile.ts'
import { replay, type ReplayResult } from '../../src/command/replay/replay.ts'
import { ownTarget } from '../../src/command/replay/target.ts'
import { scratchFolder } from './process.ts'

/** Writes a recording to a file and returns its path. */
export function fileWith(content: unknown, name = 'recording.json'): string {
  const file = join(scratchFolder(), name)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

/** Replays a recording on a server of its own. */
export async function replayed(content: unknown): Promise<ReplayResult> {
  const recording: Recording = readRecording(fileWith(content))
  const target = await ownTarget(recording)
  try {
    return await replay(target, recording)
  } finally {
    await target.close()
  }
}
