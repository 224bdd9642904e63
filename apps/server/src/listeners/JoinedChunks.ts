/** Joins the body chunks of requests with many small chunks, in bounded memory. */
import { IncomingMessage } from "node:http"

/** Chunks of this size and more are passed on as they are. */
const large = 4_096
const roomSize = 16_384

/**
 * Each chunk of a chunked body becomes a buffer of some hundred bytes, however little it contains, and readers keep all of them
 * until the end: a megabyte in chunks of one byte would take a hundred megabytes.
 */
export class JoinedChunks extends IncomingMessage {
  #first: Buffer | undefined
  #room: Buffer | undefined
  #used = 0

  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    if (chunk === null) {
      this.#flush()
      return super.push(null)
    }
    if (chunk.length >= large) {
      this.#flush()
      return super.push(chunk, encoding)
    }
    return this.#join(chunk)
  }

  /** Most bodies are one small chunk, which is not copied. */
  #join(chunk: Buffer): boolean {
    if (this.#first === undefined && this.#room === undefined) {
      this.#first = chunk
      return true
    }
    if (this.#room === undefined) {
      this.#room = Buffer.allocUnsafeSlow(roomSize)
      this.#used = this.#first!.copy(this.#room)
      this.#first = undefined
    }
    if (this.#used + chunk.length > roomSize) {
      super.push(this.#room.subarray(0, this.#used))
      this.#room = Buffer.allocUnsafeSlow(roomSize)
      this.#used = 0
    }
    this.#used += chunk.copy(this.#room, this.#used)
    return true
  }

  #flush(): void {
    const waiting = this.#first ?? this.#room?.subarray(0, this.#used)
    this.#first = undefined
    this.#room = undefined
    this.#used = 0
    if (waiting !== undefined && waiting.length > 0) super.push(waiting)
  }
}
