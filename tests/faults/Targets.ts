/** The targets of the fault suite: starts their process, begins their script, reads what they were asked. */
import { createReadStream } from "node:fs"
import { createInterface } from "node:readline"
import * as path from "node:path"
import { Effect, type Scope } from "effect"
import { script as run } from "../bench/Child.ts"
import type { Asked } from "./Evidence.ts"
import type { Script } from "./Script.ts"
import type { TargetsOptions, TargetsReady } from "./targetServer.ts"

/** The one name of all targets. */
const host = "targets.faults.test"

export interface Targets {
  readonly url: (target: number | string) => string
  /** The name server that tells this probe where it finds the targets. */
  readonly resolver: (probe: string) => string
  /** The script begins; answers the instant. */
  readonly begin: Effect.Effect<number>
  /** Every request of a target so far, in the order they came. */
  readonly asked: Effect.Effect<ReadonlyArray<Asked>>
  /** Which probe finds the targets at this address. */
  readonly probeAt: (address: string) => string | undefined
}

export const make = (options: {
  readonly targets: number
  readonly script: Script
  readonly probes: ReadonlyArray<string>
  readonly folder: string
}): Effect.Effect<Targets, never, Scope.Scope> =>
  Effect.gen(function* () {
    const addresses = options.probes.map((_, index) => `127.0.1.${index + 1}`)
    const log = path.join(options.folder, "requests.log")
    const told: TargetsOptions = { targets: options.targets, script: options.script, log, addresses }
    const { child, first } = yield* Effect.acquireRelease(
      Effect.promise(() => run<TargetsReady>("../faults/targetServer.ts", [JSON.stringify(told)])),
      ({ child }) =>
        Effect.callback<void>((resume) => {
          child.once("exit", () => resume(Effect.void))
          child.kill("SIGKILL")
        })
    )
    const probes = new Map(addresses.map((address, index) => [address, options.probes[index]!]))
    const read = async (): Promise<ReadonlyArray<Asked>> => {
      const asked: Array<Asked> = []
      for await (const line of createInterface({ input: createReadStream(log) })) {
        const [at, target, address, well] = line.split(" ")
        const probe = probes.get(address!)
        if (probe !== undefined && well !== undefined)
          asked.push({ at: Number(at), target: Number(target), probe, well: well === "1" })
      }
      return asked
    }
    return {
      url: (target) => `http://${host}:${first.port}/${target}`,
      resolver: (probe) => first.resolvers[options.probes.indexOf(probe)]!,
      begin: Effect.sync(() => {
        const now = Date.now()
        child.send(now)
        return now
      }),
      asked: Effect.promise(read),
      probeAt: (address) => probes.get(address)
    }
  })
