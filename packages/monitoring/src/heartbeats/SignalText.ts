/**
 * The stored text of a job: all of it up to 100 kB, otherwise its first and its last 50 kB with a line that tells the
 * size of the gap. The token of the address is masked, because jobs log the commands that they run.
 */
import * as GrowingBuffer from "@kanmon/core/GrowingBuffer"

/** Bytes that are kept of each end of a text that is longer than both. */
const endBytes = 50 * 1024
/** Bodies up to this size are read as a whole, for the parameters that they may hold. */
export const readBytes = 1024 * 1024
/** Bytes beyond a cut that are masked with the rest, so that no part of a token is left at the cut. */
const marginBytes = 128

/** A body that has arrived. */
export interface ReceivedBody {
  /** Bytes that were sent. */
  readonly size: number
  /** The text; if longer than {@link readBytes}, only its ends, with some bytes more than are kept. */
  readonly text: string
}

/** Collects a body of any length in bounded memory, for chunks of any size. */
export const collector = () => {
  const beginning = GrowingBuffer.make(readBytes)
  const half = endBytes + marginBytes
  let end: Buffer | undefined
  let used = 0
  let size = 0

  const addToEnd = (chunk: Uint8Array): void => {
    end ??= Buffer.alloc(2 * half)
    const part = chunk.length > half ? chunk.subarray(chunk.length - half) : chunk
    if (used + part.length > end.length) {
      // Half of it is moved at most once for as many new bytes.
      end.copyWithin(0, used - half, used)
      used = half
    }
    end.set(part, used)
    used += part.length
  }

  return {
    add: (chunk: Uint8Array): void => {
      const room = Math.max(0, readBytes - size)
      size += chunk.length
      beginning.append(chunk)
      if (chunk.length > room) addToEnd(chunk.subarray(room))
    },
    received: (): ReceivedBody => {
      const bytes = beginning.bytes()
      if (size <= readBytes) return { size, text: decoded(bytes) }
      const last = Buffer.concat([bytes.subarray(-half), (end ?? Buffer.alloc(0)).subarray(0, used)])
      return { size, text: head(bytes, half) + tail(last, half) }
    }
  }
}

/** A text as it is stored. */
export interface KeptText {
  readonly text: string
  readonly truncated: boolean
}

/** The stored part of a text with `size` sent bytes. */
export const keep = (text: string, token: string, size: number = Buffer.byteLength(text)): KeptText => {
  const masked = storable(text.replaceAll(token, "••••"))
  // A character takes three bytes of UTF-8 at most, or two characters take four.
  if (masked.length * 3 <= 2 * endBytes) return { text: masked, truncated: false }
  const bytes = Buffer.from(masked)
  if (bytes.length <= 2 * endBytes) return { text: masked, truncated: false }
  const missing = Math.max(size, bytes.length) - 2 * endBytes
  return {
    text: `${head(bytes, endBytes)}\n[… ${missing} bytes are left out here …]\n${tail(bytes, endBytes)}`,
    truncated: true
  }
}

const decoded = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** The characters that lie wholly within the first bytes. */
const head = (bytes: Buffer, length: number): string =>
  new TextDecoder().decode(bytes.subarray(0, length), { stream: true })

/** The characters that lie wholly within the last bytes. */
const tail = (bytes: Buffer, length: number): string => {
  const last = bytes.subarray(-length)
  const start = last.findIndex((byte) => (byte & 0xc0) !== 0x80)
  return decoded(last.subarray(Math.max(0, start)))
}

/** The database knows no null characters, and no half of a character that was cut in two. */
export const storable = (text: string): string => text.toWellFormed().replaceAll("\u0000", "")
