/** Small videos whose headers are right; what they show is nothing that could be played. */
import {
  BufferTarget,
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
