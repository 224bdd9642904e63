/**
 * The guide of a probe on another machine, followed to the end: its certificates by its own commands, the bus of the deployment
 * files with TLS, and a probe with the settings of its file, which checks a monitor.
 */
import { execFile } from "node:child_process"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import * as Deployment from "../support/Deployment.ts"
import * as Folder from "../support/Folder.ts"
import { kanmon } from "../support/Kanmon.ts"
import * as NatsServer from "../support/NatsServer.ts"
import { eventually, freePort, make } from "../support/Product.ts"
import * as RoledNats from "../support/RoledNats.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import * as WebTarget from "../support/WebTarget.ts"

const run = promisify(execFile)
const guide = path.resolve(import.meta.dirname, "../../docs/operate/remote-probe.md")

const blocks = async (): Promise<ReadonlyArray<string>> =>
  [...(await fs.readFile(guide, "utf8")).matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text]) => text!)

/** The options of `kanmon nats config` in the guide. */
const options = (block: string): ReadonlyArray<string> =>
  /kanmon \\\n\s+(nats config .*?) >> \.env/s.exec(block)![1]!.replaceAll("\\\n", " ").split(/\s+/)

describe.skipIf(NatsServer.skipped)(`the guide of a probe on another machine${NatsServer.note}`, () => {
  it.live("leads to a probe that checks over TLS with the key of its region", () =>
    Effect.gen(function* () {
      const [certificates, bus] = yield* Effect.promise(blocks)
      const folder = yield* Folder.make()
      // Its own commands, for a name of this machine.
      const commands = certificates!.replace("cd docs/deploy/compose\n", "").replace("nats.example.org", "localhost")
      assert.include(commands, "NATS_NAME=localhost")
      yield* Effect.promise(() => run("/bin/bash", ["-euc", commands], { cwd: folder }))

      const name = "localhost"
      const address = `${name}:${yield* freePort}`
      const args = options(bus!).map((option) =>
        option.replace('"$NATS_NAME:4222"', address).replace(/^\/nats/, path.join(folder, "nats"))
      )
      assert.includeMembers([...args], ["--env", "--tls-ca", address])
      const { code, output } = yield* kanmon([...args])
      assert.strictEqual(code, 0, output)
      const urlOf = (user: string): string => new RegExp(`^NATS_URL_${user}=(\\S+)$`, "m").exec(output)![1]!

      // The files of the deployment, with the folders and the port of this machine.
      const inFolder = (text: string): string =>
        text
          .replaceAll("/etc/nats/tls", path.join(folder, "nats/tls"))
          .replace("0.0.0.0:4222", address.replace(name, "127.0.0.1"))
          .replace(/^http: .*$/m, "")
          .replace('"/data"', JSON.stringify(path.join(folder, "data")))
      for (const file of ["nats.conf", "nats-tls.conf"]) {
        const text = yield* Effect.promise(() => Deployment.read(`compose/${file}`))
        yield* Effect.promise(() => fs.writeFile(path.join(folder, "nats", file), inFolder(text)))
      }
      yield* RoledNats.start(path.join(folder, "nats/nats-tls.conf"), address)

      const controlPlane = yield* make({
        env: {
          KANMON_ROLES: "api,engine",
          NATS_URL: urlOf("CONTROL_PLANE"),
          DATABASE_URL: Redacted.value(yield* TestDatabase.create),
          KANMON_SECRET: "a secret that a probe never learns",
          KANMON_REGIONS: "eu-west,us-east,ap-south"
        }
      })
      // Of the file of the probe, the settings that it needs.
      const { env } = yield* Effect.promise(() => Deployment.remoteProbe())
      const needed = {
        KANMON_ROLES: env["KANMON_ROLES"]!,
        KANMON_REGION: env["KANMON_REGION"]!,
        NATS_URL: urlOf(`PROBE_${env["KANMON_REGION"]!.toUpperCase().replace("-", "_")}`)
      }
      assert.match(needed.NATS_URL, /^tls:.*&tls_ca=/)
      const doctor = yield* kanmon(["doctor"], { ...needed, KANMON_DATA_DIR: path.join(folder, "doctor") })
      assert.match(doctor.output, /encrypted|TLS/)
      const probe = yield* make({ env: needed })
      yield* controlPlane.healthy
      const ada = yield* controlPlane.signUp
      const target = yield* WebTarget.make
      const monitor = yield* ada.call("POST", "/monitors", {
        name: "Shop",
        type: "http",
        url: `http://127.0.0.1:${target.port}/`,
        interval: 10,
        regions: [needed.KANMON_REGION]
      })
      assert.strictEqual(monitor.status, 201, JSON.stringify(monitor.body))
      yield* eventually(ada.call("GET", `/monitors/${monitor.body.id}`), ({ body }) => body.status === "up")
      assert.notInclude(probe.output(), `"level":"ERROR"`)

      // Without the certificate that signed the one of the bus, the line names what is missing.
      const blind = yield* kanmon(["doctor"], {
        ...needed,
        NATS_URL: needed.NATS_URL.replace(/&tls_ca=.*/, ""),
        KANMON_DATA_DIR: path.join(folder, "blind")
      })
      assert.match(blind.output, /certificate/i)
    }).pipe(Effect.scoped, Effect.provide(SecureRandom.layerWebCrypto))
  )
})
