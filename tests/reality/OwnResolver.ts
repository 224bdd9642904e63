/**
 * Runs in a network and with a resolver's files of its own: a name server on port 53, which this machine's resolver asks as it would ask any,
 * and the product too, where KANMON_DNS_RESOLVER names it.
 * Prints a line of JSON for each host: its check's status, failure and address; then the questions that the server got.
 */
import { createSocket } from "node:dgram"
import { dns, type Reply } from "@kanmon/testkit/DnsTarget"
import * as Targets from "@kanmon/testkit/Targets"
import { Effect } from "effect"
import { attempt } from "./Attempt.ts"

const zone: Readonly<Record<string, Reply>> = {
  "A db.corp.example": [{ type: "A", name: "db.corp.example", data: "127.0.0.1" }],
  "A wiki.office.example": [{ type: "A", name: "wiki.office.example", data: "127.0.0.1" }],
  "A api.db.corp.example": [{ type: "A", name: "api.db.corp.example", data: "127.0.0.1" }],
  "A dotted.corp": [{ type: "A", name: "dotted.corp", data: "127.0.0.1" }],
  "A broken.corp.example": "servfail"
}

/** From port 53, where no target of the test kit listens. */
const onPort53 = (port: number) =>
  Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createSocket>>((resume) => {
      const outside = createSocket("udp4")
      outside.on("message", (message, from) => {
        const inside = createSocket("udp4")
        inside.once("message", (answer) => {
          outside.send(answer, from.port, from.address)
          inside.close()
        })
        inside.send(message, port, "127.0.0.1")
      })
      outside.once("error", (error) => resume(Effect.die(error)))
      outside.bind(53, "127.0.0.1", () => resume(Effect.succeed(outside)))
    }),
    (socket) => Effect.sync(() => void socket.close())
  )

const say = (what: object): void => void process.stdout.write(`${JSON.stringify(what)}\n`)

const program = Effect.gen(function* () {
  const { port: name, questions } = yield* dns(
    (asked, type) => zone[`${type} ${asked}`] ?? (zone[`A ${asked}`] === undefined ? "nxdomain" : [])
  )
  yield* onPort53(name)
  const { port } = yield* Targets.http(Targets.answer({}))
  for (const host of process.argv.slice(2)) {
    const { facts, failure, status } = yield* attempt(
      "http",
      { url: `http://${host}:${port}/` },
      { allowPrivate: process.env["ALLOW_PRIVATE"] !== "no", server: process.env["KANMON_DNS_RESOLVER"] }
    )
    say({ host, status, code: failure?.code ?? null, address: facts["address"] ?? null })
  }
  say(questions)
}).pipe(Effect.scoped)

await Effect.runPromise(program)
