/** How PostgreSQL and nats-server are run so that they can be killed and come back on the same port with the same files. */
import { execFile } from "node:child_process"
import * as fs from "node:fs/promises"
import { connect } from "node:net"
import * as path from "node:path"
import { promisify } from "node:util"
import { freePort } from "../support/Ports.ts"
import * as EmbeddedPostgres from "@kanmon/platform/database/EmbeddedPostgres"
import { Effect, Redacted } from "effect"
import { searchPath } from "../support/NatsServer.ts"
import type { Command } from "./Process.ts"

export interface Server {
  readonly url: string
  readonly port: number
  readonly command: Command
  readonly isReady: (printed: () => string) => Promise<boolean>
}

/** Makes a database with what the product brings along, and takes over how it ran the server. */
export const postgres = (folder: string): Effect.Effect<Server> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { directory, pid, port, url } = yield* Effect.orDie(EmbeddedPostgres.start(folder))
      return yield* Effect.promise(async (): Promise<Server> => {
        const own = `/proc/${pid()}`
        const [, ...args] = (await fs.readFile(`${own}/cmdline`, "utf8")).split("\0").slice(0, -1)
        const { gid, uid } = await fs.stat(directory)
        return {
          url: Redacted.value(url),
          port,
          command: { program: await fs.readlink(`${own}/exe`), args, cwd: directory, env: {}, uid, gid },
          isReady: async () => {
            const lines = (await fs.readFile(path.join(directory, "postmaster.pid"), "utf8").catch(() => "")).split(
              "\n"
            )
            return lines[7]?.trim() === "ready" && (await answers(port, "\0\0\0\x08\x04\xd2\x16\x2f"))
          }
        }
      })
    })
  )

/** A nats-server with JetStream. */
export const nats = (folder: string): Effect.Effect<Server> =>
  Effect.promise(async () => {
    const port = await freePort()
    const { stdout } = await promisify(execFile)("which", ["nats-server"], { env: { PATH: searchPath } })
    return {
      url: `nats://127.0.0.1:${port}`,
      port,
      command: {
        program: stdout.trim(),
        args: ["--addr", "127.0.0.1", "--port", String(port), "--jetstream", "--store_dir", path.join(folder, "nats")],
        cwd: folder,
        env: {}
      },
      isReady: () => answers(port)
    }
  })

/** Whether a server on loopback says something, when it is greeted so. */
const answers = (port: number, greeting = ""): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" }, () => void socket.write(Buffer.from(greeting, "latin1")))
    const conclude = (answer: boolean): void => {
      resolve(answer)
      socket.destroy()
    }
    socket.setTimeout(1000, () => conclude(false))
    socket.once("data", () => conclude(true))
    socket.once("error", () => conclude(false))
    socket.once("close", () => conclude(false))
  })
