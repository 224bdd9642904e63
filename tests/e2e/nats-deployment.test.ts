/** The NATS of the files for Compose and Kubernetes: a real server with their configuration, and the users that each role gets. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { parse } from "@kanmon/bus/NatsAddress"
import * as NatsCredentials from "@kanmon/bus/NatsCredentials"
import { connect } from "@nats-io/transport-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as Deployment from "../support/Deployment.ts"
import * as Folder from "../support/Folder.ts"
import { kanmon } from "../support/Kanmon.ts"
import * as NatsServer from "../support/NatsServer.ts"
import { freePort } from "../support/Product.ts"
import * as RoledNats from "../support/RoledNats.ts"

const users = ["API", "ENGINE", "PROBE_EU_WEST", "PROBE_US_EAST"] as const

/** The configuration of the server in the files of each kind. */
const configurations = {
  Compose: () => Deployment.read("compose/nats.conf"),
  Kubernetes: async () => (await Deployment.kubernetes()).named("ConfigMap", "nats")["data"]["nats.conf"] as string
} as const

describe.skipIf(NatsServer.skipped)(`the bus of the deployment files${NatsServer.note}`, () => {
  it.live.each(["Compose", "Kubernetes"] as const)("has a user for each role and no other, with %s", (kind) =>
    Effect.gen(function* () {
      const address = `127.0.0.1:${yield* freePort}`
      const folder = yield* Folder.make()
      const { code, output } = yield* kanmon([
        "nats",
        "config",
        "--regions",
        "eu-west,us-east",
        "--address",
        address,
        "--env",
        "-o",
        folder
      ])
      assert.strictEqual(code, 0, output)
      const settings = Object.fromEntries(
        output
          .split("\n")
          .flatMap((line) =>
            [/^(NATS_URL_[A-Z_]+)=(\S+)$/.exec(line)?.slice(1) ?? []].filter((pair) => pair.length === 2)
          )
      ) as Readonly<Record<string, string>>
      assert.includeMembers(
        Object.keys(settings),
        users.map((user) => `NATS_URL_${user}`)
      )

      const text = yield* Effect.promise(configurations[kind])
      const adapted = text
        .replace("0.0.0.0:4222", address)
        .replace(/^http: .*$/m, "")
        .replace('"/data"', JSON.stringify(path.join(folder, "data")))
      assert.include(adapted, address)
      const configuration = path.join(folder, "nats.conf")
      yield* Effect.promise(() => fs.writeFile(configuration, adapted))
      yield* RoledNats.start(configuration, address)

      const join = (url: string) =>
        Effect.gen(function* () {
          const parsed = yield* parse(Redacted.make(url))
          const credentials = yield* NatsCredentials.read(parsed)
          return yield* Effect.acquireRelease(
            Effect.promise(() => connect({ servers: [...parsed.servers], ...credentials })),
            (connection) => Effect.promise(() => connection.close())
          )
        })
      const names = yield* Effect.forEach(users, (user) =>
        Effect.map(join(settings[`NATS_URL_${user}`]!), (connection) => connection.info!.client_id)
      )
      assert.lengthOf(new Set(names), users.length)
      const stranger = yield* Effect.promise(() =>
        connect({ servers: address, reconnect: false }).then(
          () => "in",
          (error: Error) => error.message
        )
      )
      assert.match(stranger, /authori[sz]ation/i)
    }).pipe(Effect.scoped)
  )

  it("gives each process the user of its role alone", async () => {
    const { services } = await Deployment.compose()
    for (const [service, user] of [
      ["api", "API"],
      ["engine", "ENGINE"],
      ["probe-eu-west", "PROBE_EU_WEST"],
      ["probe-us-east", "PROBE_US_EAST"]
    ] as const) {
      const environment = services[service]!["environment"] as Readonly<Record<string, string>>
      assert.strictEqual(environment["NATS_URL"], `\${NATS_URL_${user}:?}`)
      assert.deepStrictEqual(
        Object.values(environment).filter((value) => String(value).includes("NATS_URL")),
        [environment["NATS_URL"]]
      )
    }
    const { started } = await Deployment.kubernetes()
    const addresses = started.map(({ env }) => env["NATS_URL"])
    assert.lengthOf(new Set(addresses), started.length)
  })
})
