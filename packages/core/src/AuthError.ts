/** The refusal of a caller. */
import { Data } from "effect"

/** A credential of a plugin's kind is invalid. `detail` is shown to the caller: one sentence, without the credential. */
export class AuthError extends Data.TaggedError("AuthError")<{ readonly detail: string }> {}
