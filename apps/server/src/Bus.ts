/** Chooses the event bus: the server of the settings, one of our own, or this process. */
import * as EmbeddedNats from "@kanmon/bus/EmbeddedNats"
import * as InProcessBus from "@kanmon/bus/InProcessBus"
import * as NatsAddress from "@kanmon/bus/NatsAddress"
import * as NatsBus from "@kanmon/bus/NatsBus"
import { Effect, Layer, Option } from "effect"
import { DataDirectory } from "./DataDirectory.ts"
import { BadSetting, searchPath, Settings } from "./Settings.ts"

export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const settings = yield* Settings
    if (Option.isSome(settings.natsUrl)) {
      const url = settings.natsUrl.value
      const { servers } = yield* NatsAddress.parse(url).pipe(
        Effect.mapError(({ problem }) => new BadSetting({ setting: "NATS_URL", problem }))
      )
      return NatsBus.layer({ url, description: `NATS at ${servers.join(", ")}` })
    }
    const binary = yield* EmbeddedNats.find(searchPath())
    if (binary === undefined) return InProcessBus.layer()
    const directory = yield* DataDirectory
    const server = yield* EmbeddedNats.start(binary, directory.path)
    return NatsBus.layer({
      url: server.url,
      token: server.token,
      description: `embedded NATS ${server.version} on port ${server.port}`
    })
  })
)
