/** Why contact methods are refused. */
import type { Severity } from "@kanmon/domain/Severity"
import { Data } from "effect"

/** The account has as many methods as it may have. */
export class TooManyContactMethods extends Data.TaggedError("TooManyContactMethods")<{ readonly limit: number }> {}

/** The method is the e-mail address of the account, which is changed with the account alone. */
export class AccountMethodFixed extends Data.TaggedError("AccountMethodFixed") {}

/** Notification rules name the method. */
export class ContactMethodInUse extends Data.TaggedError("ContactMethodInUse")<{
  readonly severities: ReadonlyArray<Severity>
}> {}
