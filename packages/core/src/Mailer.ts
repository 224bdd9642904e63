/**
 * Sends e-mail of the installation itself, such as verification links. The rate per address is limited. Without a provided
 * service, mail is not configured.
 */
import { Context, Effect } from "effect"
import { type DeliveryError, type Message, rejected } from "./Channel.ts"

export const Mailer = Context.Reference<{
  /** Whether the operator has configured mail. */
  readonly configured: boolean
  /** Sends one e-mail. Fails with `Throttled` when this address received too many. */
  readonly send: (to: string, message: Message) => Effect.Effect<void, DeliveryError>
}>("@kanmon/core/Mailer", {
  defaultValue: () => ({ configured: false, send: () => Effect.fail(rejected("Mail is not configured")) })
})
