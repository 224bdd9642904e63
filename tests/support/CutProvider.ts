/**
 * A provider on a bare socket, over HTTP or SMTP, that cuts the connection at a given point of the exchange, and keeps a record of
 * what it was sent and what it answered.
 */
import { once } from "node:events"
import { createServer, type Socket } from "node:net"
import { Effect, type Scope } from "effect"
import * as Ports from "./Ports.ts"

/** Where the connection of an HTTP request is cut, or stays open and silent. */
export const httpStages = [
  "refused",
  "before the request",
  "in the request's body",
  "before the answer",
  "in the status line",
  "in the headers",
  "in the answer's body",
  "hangs in the answer's body",
  "after the answer"
] as const

/** Where an SMTP session is cut. Commands, such as `MAIL`, arrive and get no answer. */
export const smtpStages = [
  "refused",
  "at the greeting",
  "EHLO",
  "MAIL",
  "RCPT",
  "in DATA",
  "after the final dot",
  "after 250",
  "QUIT"
] as const

export type Stage = (typeof httpStages)[number] | (typeof smtpStages)[number]

/** What the provider does with one attempt. */
export interface Act {
  /** Undefined: the exchange is complete. */
  readonly cut?: Stage
  /** Resets the connection where nothing was answered, instead of closing it. */
  readonly resets: boolean
  readonly status: number
  /** The header `Retry-After`, in seconds. */
  readonly retryAfter?: number
  /** How long it takes by the clock of the test, in milliseconds. */
  readonly delay: number
}

/** An attempt as the provider knows it. */
export interface Taken {
  /** The `webhook-id` or Message-ID of a message that arrived whole. */
  readonly id: string | undefined
  /** Its answer said so, and was sent. */
  readonly isAccepted: boolean
}

export interface CutProvider {
  readonly port: number
  readonly taken: Array<Taken>
  /** What it does with the next attempt. */
  readonly expect: (act: Act) => Effect.Effect<void>
}

type Answering = (socket: Socket, act: Act, taken: (one: Taken) => void) => void

const make = (answering: Answering, passes: (millis: number) => void): Effect.Effect<CutProvider, never, Scope.Scope> =>
  Effect.gen(function* () {
    const port = yield* Effect.promise(Ports.freePort)
    const sockets = new Set<Socket>()
    const taken: Array<Taken> = []
    let act: Act | undefined
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      sockets.add(socket)
      socket.on("error", () => undefined)
      socket.on("close", () => sockets.delete(socket))
      socket.on("end", () => socket.end())
      passes(act!.delay)
      answering(socket, act!, (one) => taken.push(one))
    })
    const close = async () => {
      for (const socket of sockets) socket.destroy()
      if (!server.listening) return
      const closed = once(server, "close")
      server.close()
      await closed
    }
    const listen = async () => {
      if (server.listening) return
      const listening = once(server, "listening")
      server.listen(port, "127.0.0.1")
      await listening
    }
    yield* Effect.addFinalizer(() => Effect.promise(close))
    return {
      port,
      taken,
      expect: (next) =>
        Effect.promise(() => {
          act = next
          return next.cut === "refused" ? close() : listen()
        })
    }
  })

const cut = (socket: Socket, { resets }: Act): void => void (resets ? socket.resetAndDestroy() : socket.destroy())

const answerHttp: Answering = (socket, act, taken) => {
  if (act.cut === "before the request") return cut(socket, act)
  let request = ""
  let isOver = false
  socket.on("data", (chunk) => {
    request += chunk.toString("latin1")
    const end = request.indexOf("\r\n\r\n")
    if (isOver || end < 0) return
    const length = Number(/^content-length: (\d+)/im.exec(request)![1])
    const body = request.length - end - 4
    const isCut = act.cut === "in the request's body"
    if (body < (isCut ? 1 : length)) return
    isOver = true
    if (isCut) return cut(socket, act)
    const id = /^webhook-id: (\S+)/im.exec(request)![1]
    const said = "as the provider says"
    const line = `HTTP/1.1 ${act.status} Said\r\n`
    const retry = act.retryAfter === undefined ? "" : `Retry-After: ${act.retryAfter}\r\n`
    const headers = `${retry}Content-Type: text/plain\r\nContent-Length: ${said.length}\r\n\r\n`
    const whole = `${line}${headers}${said}`
    const sent = {
      "before the answer": 0,
      "in the status line": 11,
      "in the headers": line.length + headers.length - 5,
      "in the answer's body": whole.length - said.length / 2,
      "hangs in the answer's body": whole.length - said.length / 2
    }
    const size = sent[act.cut as keyof typeof sent] ?? whole.length
    taken({ id, isAccepted: act.status < 300 && size > line.length + headers.length })
    if (size === 0) return cut(socket, act)
    const answer = whole.slice(0, size)
    if (act.cut === "hangs in the answer's body") socket.write(answer)
    else socket.end(answer)
  })
}

const answerSmtp: Answering = (socket, act, taken) => {
  if (act.cut === "at the greeting") return cut(socket, act)
  let text = ""
  let isData = false
  const say = (line: string): void => void socket.write(`${line}\r\n`)
  const command = (line: string): void => {
    const verb = line.split(" ", 1)[0]!.toUpperCase()
    if (verb === act.cut) return cut(socket, act)
    switch (verb) {
      case "EHLO":
        return say("250 provider.test")
      case "RCPT":
        return say(act.status === 450 ? "450 4.2.0 Come again" : "250 2.1.5 Fine")
      case "DATA":
        isData = true
        return say("354 Go on")
      case "QUIT":
        socket.end("221 2.0.0 Bye\r\n")
        return
      default:
        return say("250 2.0.0 Fine")
    }
  }
  const message = (source: string): void => {
    const id = /^Message-ID:\s*(\S+)/im.exec(source)![1]
    const isAccepted = act.status === 250 && act.cut !== "after the final dot"
    taken({ id, isAccepted })
    if (act.cut === "after the final dot") return cut(socket, act)
    const answer = isAccepted ? "250 2.0.0 queued" : `${act.status} 4.3.0 Come again`
    if (act.cut === "after 250") socket.end(`${answer}\r\n`)
    else say(answer)
  }
  say("220 provider.test ESMTP")
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1")
    if (isData && act.cut === "in DATA") return cut(socket, act)
    for (;;) {
      const mark = isData ? "\r\n.\r\n" : "\r\n"
      const end = text.indexOf(mark)
      if (end < 0) return
      const part = text.slice(0, end)
      text = text.slice(end + mark.length)
      if (isData) {
        isData = false
        message(part)
      } else command(part)
    }
  })
}

/** A receiver of webhooks. `passes` moves the clock of the test. */
export const http = (passes: (millis: number) => void) => make(answerHttp, passes)

/** A mail server without logins. */
export const smtp = (passes: (millis: number) => void) => make(answerSmtp, passes)
