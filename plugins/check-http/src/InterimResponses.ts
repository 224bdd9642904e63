/**
 * Removes interim responses (1xx, RFC 9110 section 15.2), of which a server may send any number, from the connection before
 * undici reads it: undici closes the connection on an unrequested 100.
 */
import type { Socket } from "node:net"
import type { Failure } from "@kanmon/domain/Observation"

/** Maximum total bytes of interim responses. */
const byteLimit = 64 * 1024

/** The status line of an interim response starts like this. */
const beginnings = ["HTTP/1.1 1", "HTTP/1.0 1"]

/**
 * Drops interim responses until the final response begins. Must be called before another reader listens on the socket.
 * `refuse` is called at most once, when there will be no final response: `host` switches protocols, or sends interim
 * responses without end.
 */
export const skip = (socket: Socket, host: string, refuse: (failure: Failure) => void): void => {
  let pending: Buffer = Buffer.alloc(0)
  let skipped = 0

  const stop = (): void => void socket.off("readable", read)

  const read = (): void => {
    const chunk = socket.read() as Buffer | null
    if (chunk === null) return
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    while (pending.length > 0) {
      const beginning = pending.toString("latin1", 0, 10)
      if (!beginnings.some((other) => other.startsWith(beginning))) {
        stop()
        socket.unshift(pending)
        return
      }
      const end = pending.indexOf("\r\n\r\n")
      if (skipped + (end < 0 ? pending.length : end) > byteLimit) {
        stop()
        const message = `${host} sent more than ${byteLimit / 1024} KiB of interim responses before its answer`
        return refuse({ code: "header_too_large", message })
      }
      if (end < 0) return
      if (pending.toString("latin1", 9, 12) === "101") {
        stop()
        const message = `${host} answered 101 Switching Protocols, which the request did not ask for`
        return refuse({ code: "protocol_error", message })
      }
      skipped += end + 4
      pending = pending.subarray(end + 4)
    }
  }

  socket.on("readable", read)
}
