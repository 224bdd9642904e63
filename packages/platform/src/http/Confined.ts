/** Refusals of sessions that the identity provider of one organization began. */
import { Problem } from "@kanmon/protocol/Problem"

const begun = "This session was begun by the identity provider of one organization, and opens that one alone."

/** For another organization of the account. */
export const elsewhere = new Problem({
  code: "forbidden",
  detail: `${begun} To open this one, sign in with the password or a passkey of the account`
})

/** For what belongs to the account. */
export const ofAccount = new Problem({
  code: "forbidden",
  detail: `${begun} For this, sign in with the password or a passkey of the account`
})
