/**
 * A process of its own: the web server whose paths are the targets, and a name server for each probe. All of them find the
 * targets under one name, each at an address of its own, so that a request tells which probe sent it. Every request is
 * written down: instant, target, address, 1 when it was answered well. Prints where it listens.
 */
import { createWriteStream } from "node:fs"
import { createServer } from "node:http"
import { dns } from "@kanmon/testkit/DnsTarget"
import { Effect } from "effect"
import { isDown, type Script, windowsOf } from "./Script.ts"

/** What the process is told when it is started. */
export interface TargetsOptions {
  readonly targets: number
  readonly script: Script
  readonly log: string
  /** The address at which each probe finds the targets. */
  readonly addresses: ReadonlyArray<string>
}

/** What it answers. */
export interface TargetsReady {
  readonly port: number
  /** `ip:port` of the name server for each of the addresses. */
  readonly resolvers: ReadonlyArray<string>
}

const main = Effect.gen(function* () {
  const { addresses, log, script, targets } = JSON.parse(process.argv[2]!) as TargetsOptions
  const windows = Array.from({ length: targets }, (_, target) => windowsOf(target, script))
  const lines = createWriteStream(log)
  let began = Number.POSITIVE_INFINITY
  process.on("message", (at: number) => {
    began = at
  })
  process.on("disconnect", () => lines.end(() => process.exit(0)))

  const server = createServer((request, response) => {
    const target = Number(request.url!.slice(1))
    const at = Date.now()
    const down = Number.isInteger(target) && isDown(windows[target] ?? [], at - began)
    if (Number.isInteger(target)) lines.write(`${at} ${target} ${request.socket.localAddress} ${down ? 0 : 1}\n`)
    response.writeHead(down ? 500 : 200, { "content-length": 2, connection: "close" })
    response.end("ok")
  })
  const port = yield* Effect.callback<number>((resume) => {
    server.listen({ port: 0, host: "0.0.0.0", backlog: 4096 }, () => {
      const address = server.address()
      resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
    })
  })
  const servers = yield* Effect.forEach(addresses, (data) =>
    dns((name, type) => (type === "A" ? [{ type: "A", name, data, ttl: 60 }] : []))
  )
  const ready: TargetsReady = { port, resolvers: servers.map((one) => one.server) }
  process.stdout.write(`${JSON.stringify(ready)}\n`)
  return yield* Effect.never
})

void Effect.runPromise(Effect.scoped(main))
