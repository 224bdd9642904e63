/** Checks that a Redis server responds: sends `PING` and expects `PONG`. Written with Effect. */
import type { Socket } from "node:net"
import * as Check from "@kanmon/core/Check"
import { Dialer, type DialFailed } from "@kanmon/core/Dialer"
import { Hostname, Port } from "@kanmon/core/Hostname"
import * as Plugin from "@kanmon/core/Plugin"
import { shownWhen } from "@kanmon/core/ShownWhen"
import { Clock, Effect, Schema } from "effect"

const config = Schema.Struct({
  host: Hostname.annotate({ description: "Host name or IP address of the server" }),
  port: Port.annotate({ description: "Its TCP port" }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(6379))),
  password: Schema.optionalKey(
    Schema.NonEmptyString.check(Schema.isMaxLength(512)).annotate({ description: "Sent with AUTH before PING" })
  ),
  username: Schema.optionalKey(
    Schema.NonEmptyString.check(Schema.isMaxLength(512)).annotate({
      description: "User of an access control list (Redis 6), sent with the password",
      ...shownWhen("password")
    })
  )
})

/** A command in Redis's format: each part with its length, so that a value cannot be taken for a command. */
const command = (...parts: ReadonlyArray<string>): string =>
  `*${parts.length}\r\n${parts.map((part) => `$${Buffer.byteLength(part)}\r\n${part}\r\n`).join("")}`

const longestAnswer = 1000

/** Sends a command and reads the first line of the response. Interruption stops listening; the host closes the connection. */
const ask = (socket: Socket, request: string): Effect.Effect<string, Check.CheckFailed> =>
  Effect.callback((resume) => {
    let text = ""
    const onData = (chunk: Buffer): void => {
      text += chunk.toString("latin1")
      const [line, ...more] = text.split("\r\n")
      if (more.length > 0) resume(Effect.succeed(line!))
      else if (text.length > longestAnswer) resume(down("protocol_error", "The server does not speak Redis's protocol"))
    }
    const onClose = (): void => resume(down("connection_closed", "The server closed the connection without a response"))
    socket.on("data", onData).on("close", onClose)
    socket.write(request)
    return Effect.sync(() => void socket.off("data", onData).off("close", onClose))
  })

const down = (code: string, message: string): Check.CheckFailed =>
  new Check.CheckFailed({ status: "down", code, message })

/** The connection failed. If the probe has no network, the server's status is unknown. */
const unreached = ({ explanation, message, reason, timing }: DialFailed): Check.CheckFailed =>
  new Check.CheckFailed({
    status: reason === "egress_unavailable" ? "unknown" : "down",
    code: reason,
    message,
    explanation,
    timing
  })

const redisPing = Check.define({
  type: "redis-ping",
  title: "Redis",
  summary: "Checks that a Redis server responds.",
  config,
  example: { host: "cache.example.org", port: 6379 },
  secrets: ["password"],
  defaults: { timeout: 5 },
  validate: ({ password, username }) =>
    username !== undefined && password === undefined
      ? [{ path: "password", message: "A user name requires its password" }]
      : [],
  host: ({ host }) => host,
  target: ({ host, port }) => `redis://${host}:${port}`,
  run: Effect.fnUntraced(function* ({ host, password, port, username }, { stage }) {
    const dialer = yield* Dialer
    const { address, socket, timing } = yield* Effect.mapError(dialer.dial({ host, port, stage }), unreached)
    stage("request")
    const begun = yield* Clock.currentTimeMillis
    if (password !== undefined) {
      const allowed = yield* ask(socket, command("AUTH", ...(username === undefined ? [] : [username]), password))
      if (allowed !== "+OK") return yield* down("password_refused", "The server refused the password")
    }
    const answer = yield* ask(socket, command("PING"))
    const firstByte = (yield* Clock.currentTimeMillis) - begun
    if (answer.startsWith("-NOAUTH")) return yield* down("password_missing", "The server requires a password")
    // The response is not quoted: it could be anything, of any length.
    if (answer !== "+PONG") return yield* down("unexpected_answer", "The server did not answer PONG")
    return {
      responseTime: timing.connect + firstByte,
      timing: { ...timing, firstByte },
      facts: { address }
    }
  }, Effect.scoped)
})

export default Plugin.define({ name: "check-redis-ping", contract: 1, checks: [redisPing] })
