/**
 * Sends e-mail of the installation itself, such as verification links. The rate per address is limited. Without mail
 * settings the text is printed on the console, so that a local installation works without mail.
 */
import { Context, Effect } from "effect"
import { type DeliveryError, type Message, rejected } from "@kanmon/core/Channel"

/**
 * The reason for a mail, which selects its rate limit. `asked`: anybody can cause it by entering an address. `notice`:
 * it reports an action of a signed-in person. `recovery`: a link that lets the owner of an account back in. Each has
 * its own limit, so that requested mails cannot suppress the others.
 */
export type MailPurpose = "asked" | "notice" | "recovery"

export const Mailer = Context.Reference<{
  /** Whether the operator has configured mail; else it is printed. */
  readonly configured: boolean
  /**
   * Sends one e-mail. Fails with `Throttled` when this address received too many, or when too many were asked for from the
   * network address `from`.
   */
  readonly send: (
    to: string,
    message: Message,
    purpose: MailPurpose,
    from?: string | null
  ) => Effect.Effect<void, DeliveryError>
}>("@kanmon/identity/mails/Mailer", {
  defaultValue: () => ({ configured: false, send: () => Effect.fail(rejected("Mail is not configured")) })
})
