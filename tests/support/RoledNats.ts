/** A nats-server with a user for each role, as configured by `kanmon nats config`. Removed when the scope closes. */
import { eventually } from "@kanmon/testkit/Eventually"
import { spawn } from "node:child_process"
import * as fs from "node:fs/promises"
import { connect as dial } from "node:net"
import * as path from "node:path"
import * as EmbeddedNats from "@kanmon/bus/EmbeddedNats"
import * as NatsKey from "@kanmon/bus/NatsKey"
import { connect, type NatsConnection, nkeyAuthenticator } from "@nats-io/transport-node"
import { Context, Effect, Layer, type Scope } from "effect"
import * as Folder from "./Folder.ts"
import { kanmon } from "./Kanmon.ts"
import { searchPath } from "./NatsServer.ts"
import { freePort } from "./Product.ts"

export class RoledNats extends Context.Service<
  RoledNats,
  {
    /** The `NATS_URL` of a user. */
    readonly urlOf: (user: string) => string
    /** The reply inbox of a user. */
    readonly inboxOf: (user: string) => Effect.Effect<string>
    /** A connection of a user with a plain NATS client. */
    readonly join: (user: string) => Effect.Effect<NatsConnection, never, Scope.Scope>
    /** Rewrites the configuration with another region. */
    readonly addRegion: (region: string) => Effect.Effect<void>
    /** Makes the server reload it. */
    readonly reload: Effect.Effect<void>
  }
>()("@kanmon/tests/RoledNats") {
  /** `options` are additional options of the command; `@` stands for the folder of `files`. */
  static readonly layer = (
    regions: ReadonlyArray<string>,
    options: ReadonlyArray<string> = [],
    files: Readonly<Record<string, string>> = {}
  ) =>
    Layer.effect(
      RoledNats,
      Effect.gen(function* () {
        const folder = yield* Folder.make(files)
        const address = `127.0.0.1:${yield* freePort}`
        const configure = (labels: ReadonlyArray<string>) =>
          Effect.map(
            kanmon([
              "nats",
              "config",
              `--regions=${labels.join()}`,
              `--output=${folder}`,
              `--listen=${address}`,
              `--address=${address}`,
              ...options.map((option) => option.replace("@", `${folder}/`))
            ]),
            ({ code, output }) => {
              if (code !== 0) throw new Error(output)
              return output
            }
          )
        const printed = yield* configure(regions)
        const server = yield* start(path.join(folder, "nats-server.conf"), address)
        const keyOf = (user: string) =>
          Effect.map(
            Effect.promise(() => fs.readFile(path.join(folder, "keys", `${user}.nkey`), "utf8")),
            (text) => NatsKey.find(text)!
          )
        return RoledNats.of({
          urlOf: (user) => new RegExp(`^  ${user} +NATS_URL='(.+)'$`, "m").exec(printed)![1]!,
          inboxOf: (user) => Effect.map(keyOf(user), ({ publicKey }) => NatsKey.inboxOf(publicKey)),
          join: (user) =>
            Effect.acquireRelease(
              Effect.flatMap(keyOf(user), ({ publicKey, seed }) =>
                Effect.promise(() =>
                  connect({
                    servers: address,
                    authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)),
                    // A subscriber may use any client with its defaults.
                    ...(user === "subscriber" ? {} : { inboxPrefix: NatsKey.inboxOf(publicKey) })
                  })
                )
              ),
              (connection) => Effect.promise(() => connection.close())
            ),
          addRegion: (region) => Effect.asVoid(configure([region])),
          reload: Effect.sync(() => void server.kill("SIGHUP"))
        })
      })
    )
}

/** Starts a nats-server with a configuration, and waits until it listens at the address. */
export const start = (configuration: string, address: string) =>
  Effect.gen(function* () {
    const binary = yield* EmbeddedNats.find(searchPath)
    if (binary === undefined) return yield* Effect.die(new Error("nats-server is not installed; these tests need it"))
    const server = yield* Effect.acquireRelease(
      Effect.sync(() => spawn(binary, ["-c", configuration], { stdio: "ignore" })),
      (child) =>
        Effect.callback<void>((resume) => {
          child.once("exit", () => resume(Effect.void))
          child.kill("SIGKILL")
        })
    )
    yield* eventually(listens(address))
    return server
  })

const listens = (address: string): Effect.Effect<void, Error> =>
  Effect.callback((resume) => {
    const socket = dial(Number(address.split(":")[1]), "127.0.0.1")
    socket.once("data", () => resume(Effect.void))
    socket.once("error", (error) => resume(Effect.fail(error)))
    return Effect.sync(() => socket.destroy())
  })
