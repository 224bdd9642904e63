/** No process of a test run leaves this machine (`tests/support/loopbackOnly.js`): each kind of attempt in each kind of process. */
import { execFile } from "node:child_process"
import * as dgram from "node:dgram"
import * as dns from "node:dns"
import * as fs from "node:fs/promises"
import * as net from "node:net"
import * as path from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Folder from "../support/Folder.ts"

interface Attempt {
  readonly kind: string
  readonly address: string
  readonly test: string
}

const root = path.resolve(import.meta.dirname, "../..")
const guard = path.join(root, "tests/support/loopbackOnly.js")
const run = promisify(execFile)

/** Runs the work in this process; answers the attempts that it made, which do not fail the run. */
const attemptsOf = (work: () => Promise<unknown>): Promise<ReadonlyArray<Attempt>> =>
  Reflect.get(globalThis, Symbol.for("kanmon.tests.loopback"))(work)

const ended = (begin: (done: () => void) => void) => new Promise<void>((resolve) => begin(resolve))

/** What a process can try, with what is noted of it; all handle the error. */
const tries = {
  "TCP connection to 192.0.2.1": () => ended((done) => net.connect(80, "192.0.2.1").on("error", done)),
  "TCP connection to 2001:db8::1": () => ended((done) => net.connect(80, "2001:db8::1").on("error", done)),
  "TCP connection to 192.0.2.2": () =>
    ended((done) =>
      net
        .connect({
          port: 80,
          host: "any",
          lookup: (_, { all }, answer) =>
            all === true ? answer(null, [{ address: "192.0.2.2", family: 4 }]) : answer(null, "192.0.2.2", 4)
        })
        .on("error", done)
    ),
  "TCP connection to 192.0.2.3": () => fetch("https://192.0.2.3/").catch(() => undefined),
  "Look-up by the system to mail.example.org": () => fetch("http://mail.example.org/").catch(() => undefined),
  "Look-up by the system to name.invalid": () => ended((done) => dns.lookup("name.invalid", () => done())),
  "Look-up by the system to name.test": () => dns.promises.lookup("name.test").catch(() => undefined),
  "DNS query to example.net of 192.0.2.4": () => {
    const resolver = new dns.promises.Resolver()
    resolver.setServers(["192.0.2.4"])
    return resolver.resolveTxt("example.net").catch(() => undefined)
  },
  "DNS query to example.com of 127.0.0.1": () => {
    const resolver = new dns.promises.Resolver()
    // What listens on the port of name servers is the system's, and asks others.
    resolver.setServers(["127.0.0.1"])
    return resolver.resolve4("example.com").catch(() => undefined)
  },
  "UDP datagram to 192.0.2.5": () =>
    ended((done) => {
      const socket = dgram.createSocket("udp4")
      socket.send("any", 53, "192.0.2.5", () => socket.close(done))
    }),
  "UDP connection to 192.0.2.6": () =>
    ended((done) => {
      const socket = dgram.createSocket("udp4")
      socket.connect(53, "192.0.2.6", () => socket.close(done))
    })
}

const said = ({ address, kind }: Attempt): string => `${kind} to ${address}`

/** A program that runs the source of an attempt. */
const attempt = (address: string): string => `require("node:net").connect(80, "${address}").on("error", () => {})`

describe("a process of a test run", () => {
  for (const [expected, work] of Object.entries(tries))
    it(`is refused a ${expected}, also when it handles the error`, async () => {
      const found = await attemptsOf(work)
      assert.deepStrictEqual([...new Set(found.map(said))], [expected])
      assert.include(found[0]?.test, "loopback.test.ts")
    })

  it("may connect to this machine", async () => {
    const server = net.createServer((socket) => socket.end()).listen(0)
    await ended((done) => server.once("listening", done))
    const { port } = server.address() as net.AddressInfo
    const found = await attemptsOf(async () => {
      for (const host of ["127.0.0.1", "127.8.8.8", "localhost"])
        await ended((done) => net.connect(port, host).on("close", done).resume())
    })
    server.close()
    assert.deepStrictEqual(found, [])
  })

  it.effect("hands the rule on to commands, shells, workers and what those start, whatever their environment", () =>
    Effect.gen(function* () {
      const folder = yield* Folder.make()
      const file = path.join(folder, "attempts.jsonl")
      yield* Effect.promise(async () => {
        const program = path.join(folder, "program.cjs")
        await fs.writeFile(
          program,
          `
          const { execFileSync, spawn } = require("node:child_process")
          const { Worker } = require("node:worker_threads")
          ${attempt("192.0.2.10")}
          spawn(process.execPath, ["-e", ${JSON.stringify(attempt("192.0.2.11"))}], { env: {} })
          execFileSync(process.execPath, ["-e", ${JSON.stringify(attempt("192.0.2.12"))}], { env: { NODE_OPTIONS: "--no-warnings" } })
          execFileSync("/bin/sh", ["-c", 'exec "$0" -e "$1"', process.execPath, ${JSON.stringify(attempt("192.0.2.13"))}])
          new Worker(${JSON.stringify(attempt("192.0.2.14"))}, { eval: true, execArgv: [] })
          new Worker(${JSON.stringify(attempt("192.0.2.15"))}, { eval: true, env: {} })
          `
        )
        await run(process.execPath, [`--require=${guard}`, program], {
          env: { LOOPBACK_ONLY_FILE: file }
        })
      })
      const lines = (yield* Effect.promise(() => fs.readFile(file, "utf8"))).trim().split("\n")
      const attempts: ReadonlyArray<Attempt> = lines.map((line) => JSON.parse(line))
      assert.sameMembers(
        attempts.map(said),
        [10, 11, 12, 13, 14, 15].map((end) => `TCP connection to 192.0.2.${end}`)
      )
    })
  )

  it.effect("fails the run in which it tried, and is named", () =>
    Effect.gen(function* () {
      const folder = yield* Folder.make()
      const output = yield* Effect.promise(async () => {
        await fs.symlink(path.join(root, "node_modules"), path.join(folder, "node_modules"))
        await fs.writeFile(
          path.join(folder, "vitest.config.mjs"),
          `export default { test: { include: ["*.test.mjs"], globalSetup: [${JSON.stringify(path.join(root, "tests/support/loopbackSetup.ts"))}] } }`
        )
        await fs.writeFile(
          path.join(folder, "planted.test.mjs"),
          `import { connect } from "node:net"
           import { it } from "vitest"
           it("swallows an error", () => new Promise((done) => connect(80, "192.0.2.20").on("error", () => done())))`
        )
        const { PATH = "" } = process.env
        return run(process.execPath, [path.join(root, "node_modules/vitest/vitest.mjs"), "run", "--root", folder], {
          env: { PATH }
        }).then(
          ({ stdout }) => `passed: ${stdout}`,
          ({ stderr, stdout }) => `failed: ${stdout}${stderr}`
        )
      })
      assert.match(output, /^failed/)
      assert.include(output, "1 passed")
      assert.include(output, "TCP connection to 192.0.2.20")
      assert.include(output, "planted.test.mjs > swallows an error")
    })
  )
})
