/**
 * Mail of the installation itself, such as a link that verifies an address. It goes the way of the first channel kind whose
 * recipients are e-mail addresses; how often one address is written to is bounded.
 */
import { Context, type Effect } from "effect"
import type { DeliveryError, Message } from "./Channel.ts"

export class Mailer extends Context.Service<
  Mailer,
  {
    /** Whether the operator has set up mail. */
    readonly configured: boolean
    /** Sends one mail. `Throttled` when this address was written to too often. */
    readonly send: (to: string, message: Message) => Effect.Effect<void, DeliveryError>
  }
>()("@kanmon/core/Mailer") {}
