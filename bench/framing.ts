/**
 * Splits the data of a connection into HTTP/1.1 messages with little CPU, because load generators and
 * receivers share the cores with the servers under test.
 */

const HEAD_END = Buffer.from('\r\n\r\n')
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i

export class Messages {
  #rest: Buffer | null = null
  /** Remaining bytes of the current body. */
  #missing = 0
  #head = ''

  /** Calls `ended` with the head of each message that this chunk completes. Chunked bodies are not supported. */
  feed(chunk: Buffer, ended: (head: string) => void): void {
    let data = this.#rest ? Buffer.concat([this.#rest, chunk]) : chunk
    this.#rest = null
    while (data.length > 0) {
      if (this.#missing === 0) {
        const end = data.indexOf(HEAD_END)
        if (end < 0) {
          this.#rest = data
          return
        }
        this.#head = data.toString('latin1', 0, end)
        if (/\r\ntransfer-encoding:/i.test(this.#head)) throw new Error('chunked bodies are not supported')
        this.#missing = Number(CONTENT_LENGTH.exec(this.#head)?.[1] ?? 0)
        data = data.subarray(end + HEAD_END.length)
      }
      const taken = Math.min(this.#missing, data.length)
      this.#missing -= taken
      data = data.subarray(taken)
      if (this.#missing > 0) return
      ended(this.#head)
    }
  }
}
