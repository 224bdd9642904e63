/** The state of this process for the text that `kanmon serve` prints. */
import { Accounts } from "@kanmon/control-plane/accounts"
import { Channels, emailKind } from "@kanmon/control-plane/channels"
import { ChannelRunner } from "@kanmon/core/ChannelRunner"
import { EventBus } from "@kanmon/core/EventBus"
import { Catalogue } from "@kanmon/core/PluginHost"
import { Context, Effect, Layer } from "effect"
import * as Bus from "./Bus.ts"
import { DatabaseDescription } from "./DatabaseChoice.ts"
import { Settings } from "./Settings.ts"

export class Summary extends Context.Service<
  Summary,
  {
    readonly database: string
    readonly bus: string
    readonly localAccess: Context.Service.Shape<typeof Bus.LocalAccess>
    /** True for a process without a database, which cannot know. */
    readonly hasAccounts: boolean
    /** True for a process without a database, which cannot know. */
    readonly hasChannels: boolean
    /** The operator has set up mail. */
    readonly sendsMail: boolean
    /** Accounts in KANMON_ADMIN_EMAILS that are not admins, because their addresses are not verified. */
    readonly unprovenAdmins: ReadonlyArray<string>
  }
>()("@kanmon/server/Summary") {
  /** Of a process with the database. */
  static readonly layer = Layer.effect(
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
        hasChannels: yield* channels.exist,
        sendsMail: mail !== undefined && runner.isSetUp(mail.type),
        unprovenAdmins: (yield* accounts.unproven(adminEmails)).map(({ email }) => email)
      })
    })
  )

  /** Of a probe, which has no database. */
  static readonly layerProbe = Layer.effect(
    Summary,
    Effect.gen(function* () {
      return Summary.of({
        database: "none (this role needs no database)",
        bus: (yield* EventBus).description,
        localAccess: yield* Bus.LocalAccess,
        hasAccounts: true,
        hasChannels: true,
        sendsMail: false,
        unprovenAdmins: []
      })
    })
  )
}
