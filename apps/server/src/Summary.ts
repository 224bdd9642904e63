/** The state of this process for the text that `kanmon serve` prints. */
import { EventBus } from "@kanmon/core/EventBus"
import { Context, Effect, Layer } from "effect"
import * as Bus from "./Bus.ts"

export class Summary extends Context.Service<
  Summary,
  {
    readonly database: string
    readonly bus: string
    readonly localAccess: Context.Service.Shape<typeof Bus.LocalAccess>
    /** True for a process without a database, which cannot know. */
    readonly hasAccounts: boolean
    /** With it the first account becomes an administrator; undefined for a process without a database. */
    readonly setupCode: string | undefined
    /** True for a process without a database, which cannot know. */
    readonly hasChannels: boolean
    /** The operator has set up mail. */
    readonly sendsMail: boolean
    /** Accounts in KANMON_ADMIN_EMAILS that are not admins, because their addresses are not verified. */
    readonly unprovenAdmins: ReadonlyArray<string>
  }
>()("@kanmon/server/Summary") {
  /** The summary of a probe, which has no database. */
  static readonly layerProbe = Layer.effect(
    Summary,
    Effect.gen(function* () {
      return Summary.of({
        database: "none (this role needs no database)",
        bus: (yield* EventBus).description,
        localAccess: yield* Bus.LocalAccess,
        hasAccounts: true,
        hasChannels: true,
        setupCode: undefined,
        sendsMail: false,
        unprovenAdmins: []
      })
    })
  )
}
