/** Small videos and audio files with valid headers; their content cannot be played. */
import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
} from 'mediabunny'

interface Video {
  readonly seconds: number
  readonly width: number
  readonly height: number
}

export async function videoOf(format: 'mp4' | 'webm', { seconds, width, height }: Video): Promise<Buffer> {
  const target = new BufferTarget()
  const output = new Output({
    format: format === 'mp4' ? new Mp4OutputFormat() : new WebMOutputFormat(),
    target,
  })
  const source = new EncodedVideoPacketSource('vp9')
  output.addVideoTrack(source)
  await output.start()
  const meta = { decoderConfig: { codec: 'vp09.00.10.08', codedWidth: width, codedHeight: height } }
  for (let second = 0; second < seconds; second += 1) {
    await source.add(new EncodedPacket(new Uint8Array([0x82, 0x49, 0x83, 0x42]), 'key', second, 1), meta)
  }
  await output.finalize()
  return Buffer.from(target.buffer ?? new ArrayBuffer(0))
}

/** A file in a video format that contains only audio. */
export async function soundOf(format: 'mp4' | 'webm'): Promise<Buffer> {
  const target = new BufferTarget()
  const output = new Output({
    format: format === 'mp4' ? new Mp4OutputFormat() : new WebMOutputFormat(),
    target,
  })
  const source = new EncodedAudioPacketSource('opus')
  output.addAudioTrack(source)
  await output.start()
  const meta = { decoderConfig: { codec: 'opus', numberOfChannels: 1, sampleRate: 48_000 } }
  await source.add(new EncodedPacket(new Uint8Array([0xf8, 0xff, 0xfe]), 'key', 0, 1), meta)
  await output.finalize()
  return Buffer.from(target.buffer ?? new ArrayBuffer(0))
}
