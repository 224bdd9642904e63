/** Chooses the event bus: the server of the settings, one of our own, or this process. */
import * as EmbeddedNats from "@kanmon/bus/EmbeddedNats"
import * as InProcessBus from "@kanmon/bus/InProcessBus"
import * as NatsAddress from "@kanmon/bus/NatsAddress"
import * as NatsBus from "@kanmon/bus/NatsBus"
import type { BusUnavailable, EventBus } from "@kanmon/core/EventBus"
import { Effect, Layer, Option, type Redacted } from "effect"
import { DataDirectory } from "./DataDirectory.ts"
import { BadSetting, searchPath, Settings } from "./Settings.ts"

type BusLayer = Layer.Layer<EventBus, BadSetting | BusUnavailable>

export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const settings = yield* Settings
    // A probe by itself has no right to make buckets; it waits for those who have.
    const maxBytes = settings.streamMegabytes * 1024 ** 2
    const makesBuckets = settings.roles.some((role) => role !== "probe")
    if (Option.isSome(settings.natsUrl)) return yield* at(settings.natsUrl.value, { makesBuckets, maxBytes })
    const binary = yield* EmbeddedNats.find(searchPath())
    if (binary === undefined) return InProcessBus.layer()
    const directory = yield* DataDirectory
    const server = yield* EmbeddedNats.start(binary, directory.path)
    return ownServer(server, maxBytes)
  })
)

/** The server of the settings. Whatever keeps us from it at the start is told in one line with the setting's name. */
const at = Effect.fnUntraced(function* (
  url: Redacted.Redacted,
  options: Pick<NatsBus.NatsOptions, "makesBuckets" | "maxBytes">
) {
  const bad = (problem: string) => new BadSetting({ setting: "NATS_URL", problem })
  const { servers } = yield* NatsAddress.parse(url).pipe(Effect.mapError(({ problem }) => bad(problem)))
  const where = servers.join(", ")
  const layer: BusLayer = NatsBus.layer({ ...options, url, description: `NATS at ${where}` }).pipe(
    Layer.catch((error) =>
      Layer.effectContext(
        Effect.fail(bad(error._tag === "BadNatsAddress" ? error.problem : `${where} cannot be used: ${error.detail}`))
      )
    )
  )
  return layer
})

const ownServer = ({ port, token, url, version }: EmbeddedNats.EmbeddedNats, maxBytes: number): BusLayer =>
  NatsBus.layer({ url, token, maxBytes, description: `embedded NATS ${version} on port ${port}` }).pipe(
    Layer.catchTag("BadNatsAddress", (error) => Layer.effectContext(Effect.die(error)))
  )
