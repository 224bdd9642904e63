/** Chooses the event bus: the server of the settings, one of our own, or this process. */
import * as EmbeddedNats from "@kanmon/bus/EmbeddedNats"
import * as InProcessBus from "@kanmon/bus/InProcessBus"
import * as NatsBus from "@kanmon/bus/NatsBus"
import { Effect, Layer, Option, Redacted } from "effect"
import { DataDirectory } from "./DataDirectory.ts"
import { searchPath, Settings } from "./Settings.ts"

/** For people: where a server is, without who may use it. */
const place = (url: Redacted.Redacted): string =>
  Redacted.value(url)
    .split(",")
    .map((server) => (URL.canParse(server) ? new URL(server).host : "an address"))
    .join(", ")

export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const settings = yield* Settings
    if (Option.isSome(settings.natsUrl)) {
      return NatsBus.layer({ url: settings.natsUrl.value, description: `NATS at ${place(settings.natsUrl.value)}` })
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
