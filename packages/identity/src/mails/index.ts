/** Mails to people about their accounts, in their languages. */
import { AccountMails } from "@kanmon/core/AccountMails"
import { Layer } from "effect"
import { compose } from "./AccountMail.ts"

export { compose } from "./AccountMail.ts"

/** The services of this feature. */
export const layer = Layer.succeed(AccountMails, AccountMails.of({ compose }))
