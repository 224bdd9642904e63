/**
 * Sends e-mail of the installation itself, such as verification links. The rate per address is limited. Where the operator has
 * set up no mail, the text is printed on the console, so that whoever runs Kanmon on a machine of their own can go on.
 */
import { Context, Effect } from "effect"
import { type DeliveryError, type Message, rejected } from "@kanmon/core/Channel"

/**
 * Why a mail is sent. `asked`: anybody can cause it by entering an address. `notice`: it reports what a person who is signed in
 * did. `recovery`: a link with which the owner of an account gets back in. These are counted apart, so that nobody suppresses
 * them by asking for other mails first.
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
