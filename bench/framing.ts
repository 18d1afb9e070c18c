/**
 * HTTP/1.1 messages in what arrives on a connection, found with as little work as possible: load and receivers share
 * their cores with what is measured.
 */

const HEAD_END = Buffer.from('\r\n\r\n')
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i

export class Messages {
  #rest: Buffer | null = null
  /** Bytes of a body that are still to come. */
  #missing = 0
  #head = ''

  /** Calls `ended` with the head of each message that is complete with this chunk. Chunked bodies are not read. */
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
        if (/\r\ntransfer-encoding:/i.test(this.#head)) throw new Error('a chunked body is not read here')
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
