/**
 * Mail of the installation itself, such as a link that verifies an address. How often one address is written to is bounded.
 * Without a server that provides it, no mail is configured.
 */
import { Context, Effect } from "effect"
import { type DeliveryError, type Message, rejected } from "./Channel.ts"

export const Mailer = Context.Reference<{
  /** Whether the operator has set up mail. */
  readonly configured: boolean
  /** Sends one mail. Fails with `Throttled` when this address was written to too often. */
  readonly send: (to: string, message: Message) => Effect.Effect<void, DeliveryError>
}>("@kanmon/core/Mailer", {
  defaultValue: () => ({ configured: false, send: () => Effect.fail(rejected("No mail is configured")) })
})
