/** Selects the event bus: the NATS server of the settings, an embedded one, or the in-process bus. */
import type * as EmbeddedNats from "@kanmon/bus/EmbeddedNats"
import * as InProcessBus from "@kanmon/bus/InProcessBus"
import * as NatsAddress from "@kanmon/bus/NatsAddress"
import * as NatsBus from "@kanmon/bus/NatsBus"
import type { BusUnavailable, EventBus } from "@kanmon/core/EventBus"
import { Context, Effect, Layer, Option, type Redacted } from "effect"
import * as EmbeddedServers from "./EmbeddedServers.ts"
import { BadSetting, Settings } from "./Settings.ts"

/** How subscribers on this machine reach the embedded NATS server, where there is one. */
export class LocalAccess extends Context.Service<
  LocalAccess,
  Option.Option<{ readonly address: string; readonly tokenFile: string }>
>()("@kanmon/server/Bus/LocalAccess") {}

type BusLayer = Layer.Layer<EventBus | LocalAccess, BadSetting | BusUnavailable>

const noLocalAccess = Layer.succeed(LocalAccess, Option.none())

export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const settings = yield* Settings
    // A probe may not create buckets; it waits until the control plane has.
    const maxBytes = settings.streamMegabytes * 1024 ** 2
    const makesBuckets = settings.roles.some((role) => role !== "probe")
    if (Option.isSome(settings.natsUrl)) return yield* at(settings.natsUrl.value, { makesBuckets, maxBytes })
    const server = yield* EmbeddedServers.nats.pipe(
      Effect.catchTag("PortTaken", ({ port }) => {
        const problem = `Another program listens on port ${port}. Choose another port, or stop that program.`
        return new BadSetting({ setting: "KANMON_NATS_PORT", problem })
      })
    )
    if (server === undefined) return Layer.merge(InProcessBus.layer(), noLocalAccess)
    if (server.formerPort !== undefined)
      yield* Effect.logWarning(
        `Another program uses port ${server.formerPort} of the embedded NATS server, which now listens on ${server.port}. Give subscribers the new address, or set KANMON_NATS_PORT.`
      )
    return ownServer(server, maxBytes)
  })
)

/** The server of the settings. A failure at the start is reported in one line with the setting's name. */
const at = Effect.fnUntraced(function* (
  url: Redacted.Redacted,
  options: Pick<NatsBus.NatsOptions, "makesBuckets" | "maxBytes">
) {
  const bad = (problem: string) => new BadSetting({ setting: "NATS_URL", problem })
  const { servers } = yield* NatsAddress.parse(url).pipe(Effect.mapError(({ problem }) => bad(problem)))
  const where = servers.join(", ")
  const layer: Layer.Layer<EventBus, BadSetting | BusUnavailable> = NatsBus.layer({
    ...options,
    url,
    description: `NATS at ${where}`
  }).pipe(
    Layer.catch((error) =>
      Layer.effectContext(
        Effect.fail(bad(error._tag === "BadNatsAddress" ? error.problem : `${where} cannot be used: ${error.detail}`))
      )
    )
  )
  return Layer.merge(layer, noLocalAccess)
})

const ownServer = ({ port, token, tokenFile, url, version }: EmbeddedNats.EmbeddedNats, maxBytes: number): BusLayer =>
  NatsBus.layer({ url, token, maxBytes, description: `embedded NATS ${version} on port ${port}` }).pipe(
    Layer.catchTag("BadNatsAddress", (error) => Layer.effectContext(Effect.die(error))),
    Layer.merge(Layer.succeed(LocalAccess, Option.some({ address: `nats://127.0.0.1:${port}`, tokenFile })))
  )
