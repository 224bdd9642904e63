/** Switches off the channels that an account prepared before the owner of its address came. */
import { Effect, Layer } from "effect"
import { EarlierAccessEnding } from "@kanmon/identity/accounts"
import { Channels } from "./Channels.ts"

/** The reason on a channel that was disabled. */
const reason =
  "it was made before the address of the account was proven: save its settings again, after looking where it sends to"

export const layer = Layer.effect(
  EarlierAccessEnding,
  Effect.map(Channels, (channels) => (projectId) => channels.disableAll(projectId, reason))
)
