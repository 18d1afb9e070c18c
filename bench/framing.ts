/**
 * Splits the data of a connection into HTTP/1.1 messages with little CPU, because load generators and
 * receivers share the cores with the servers under test.
 */

const HEAD_END = Buffer.from('\r\n\r\n')
const LINE_END = Buffer.from('\r\n')
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i
const CHUNKED = /\r\ntransfer-encoding: *chunked/i

export class Messages {
  #rest: Buffer | null = null
  /** Remaining bytes of the current body, or of its current chunk. */
  #missing = 0
  #isChunked = false
  #head = ''

  /** Calls `ended` with the head of each message that this data completes. Trailers are not supported. */
  feed(data: Buffer, ended: (head: string) => void): void {
    let left = this.#rest ? Buffer.concat([this.#rest, data]) : data
    this.#rest = null
    while (left.length > 0) {
      if (this.#missing === 0) {
        const mark = this.#isChunked ? LINE_END : HEAD_END
        const end = left.indexOf(mark)
        if (end < 0) {
          this.#rest = left
          return
        }
        const text = left.toString('latin1', 0, end)
        left = left.subarray(end + mark.length)
        if (this.#isChunked) this.#startChunk(text)
        else this.#startBody(text)
      }
      const taken = Math.min(this.#missing, left.length)
      this.#missing -= taken
      left = left.subarray(taken)
      if (this.#missing > 0) return
      if (!this.#isChunked) ended(this.#head)
    }
  }

  #startBody(head: string): void {
    this.#head = head
    this.#isChunked = CHUNKED.test(head)
    this.#missing = this.#isChunked ? 0 : Number(CONTENT_LENGTH.exec(head)?.[1] ?? 0)
  }

  #startChunk(line: string): void {
    const size = parseInt(line, 16)
    this.#missing = size + LINE_END.length
    // The last chunk is empty; the message ends after its line end.
    this.#isChunked = size > 0
  }
}
