/** A process with the database: the api, the engine or both, with its own probe if it has one. */
import { Accounts } from "@kanmon/identity/accounts"
import { Channels, emailKind } from "@kanmon/monitoring/channels"
import * as Health from "@kanmon/monitoring/health"
import { ChannelRunner } from "@kanmon/core/ChannelRunner"
import { EventBus } from "@kanmon/core/EventBus"
import { Catalogue } from "@kanmon/core/PluginHost"
import { Effect, Layer, Redacted } from "effect"
import * as AgreedSettings from "../AgreedSettings.ts"
import * as Bus from "../Bus.ts"
import { DatabaseDescription } from "../DatabaseChoice.ts"
import { type Role, Settings } from "../Settings.ts"
import { Summary } from "../Summary.ts"
import * as Api from "./Api.ts"
import * as ControlPlane from "./ControlPlane.ts"
import * as Engine from "./Engine.ts"
import * as Probe from "./Probe.ts"
import * as Shared from "./Shared.ts"

/** The summary of a process with the database. */
const summary = Layer.effect(
  Summary,
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const channels = yield* Channels
    const runner = yield* ChannelRunner
    const { adminEmails } = yield* Settings
    const mail = emailKind((yield* Catalogue).channels)
    return Summary.of({
      database: yield* DatabaseDescription,
      bus: (yield* EventBus).description,
      localAccess: yield* Bus.LocalAccess,
      hasAccounts: yield* accounts.exist,
      setupCode: Redacted.value(yield* ControlPlane.setupCode),
      hasChannels: yield* channels.exist,
      sendsMail: mail !== undefined && runner.isSetUp(mail.type),
      unprovenAdmins: (yield* accounts.unproven(adminEmails)).map(({ email }) => email)
    })
  })
)

const when = <E, R>(isPlayed: boolean, role: Layer.Layer<never, E, R>): Layer.Layer<never, E, R> =>
  isPlayed ? role : Layer.empty

/** These roles. `preparation` runs on the store before checks and requests begin. */
export const layer = <A, E, R>(roles: ReadonlyArray<Role>, preparation: Layer.Layer<A, E, R>) =>
  Layer.mergeAll(Shared.metrics, summary, AgreedSettings.layer).pipe(
    // A process counts as live when all its roles have started.
    Layer.provide(Layer.merge(when(roles.includes("api"), Api.layer), when(roles.includes("engine"), Engine.layer))),
    Layer.provide(Health.layer),
    // Below the api, which reports the health of its process's probe.
    Layer.provide(when(roles.includes("probe"), Probe.layer)),
    Layer.provide(ControlPlane.services),
    Layer.provideMerge(preparation),
    Layer.provide(ControlPlane.store)
  )
