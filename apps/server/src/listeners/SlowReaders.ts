/**
 * Disconnects clients that read responses too slowly: unread data occupies memory, perhaps with a connection to the
 * database. Applies to every response of a server.
 */
import type { Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import * as LastingAnswers from "@kanmon/platform/http/LastingAnswers"

export interface Patience {
  /** Milliseconds in which a client takes nothing of an answer. */
  readonly stall: number
  /** Milliseconds in which a client takes a whole answer, however often it takes some bytes of it. */
  readonly whole: number
  /** Milliseconds between looks at the answers that are open. */
  readonly every: number
}

/** The largest answers have some megabytes, so a client that needs longer has less than a modem. */
export const usual: Patience = { stall: 30_000, whole: 300_000, every: 5_000 }

/** Unread events of a stream wait on the bus; the limit applies from the stream's end. */
const isBeingTaken = (response: ServerResponse): boolean => response.headersSent && !LastingAnswers.isLasting(response)

/** Watches every answer of the server, until the server closes and the answers with it. */
export const disconnect = (server: Server, { every, stall, whole }: Patience = usual): void => {
  /** Answers that are not taken yet: their connections, and the looks for which they could have been taken. */
  const open = new Map<ServerResponse, { readonly socket: Socket; looks: number }>()
  const longest = Math.ceil(whole / every)
  const look = (): void => {
    for (const [response, answer] of open) {
      if (answer.looks > longest) answer.socket.destroy()
      else if (isBeingTaken(response)) answer.looks++
    }
  }
  let timer: NodeJS.Timeout | undefined
  server.on("request", ({ socket }, response) => {
    // An answer that is still being made has nothing to read; its first bytes start the time again.
    response.setTimeout(stall, () => void (response.writableLength > 0 && socket.destroy()))
    open.set(response, { socket, looks: 0 })
    timer ??= setInterval(look, every).unref()
    response.once("close", () => {
      open.delete(response)
      if (open.size > 0) return
      clearInterval(timer)
      timer = undefined
    })
  })
}
