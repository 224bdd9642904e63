/** The refusal of a caller. */
import { Data } from "effect"

/** A credential of a plugin's kind is invalid. */
export class AuthError extends Data.TaggedError("AuthError")<{
  /** Shown to the caller: one sentence, without the credential. */
  readonly detail: string
  /** Somebody else vouched for the caller, such as a proxy: a credential that the caller presents decides before this refusal. */
  readonly isVouched?: true
}> {}
