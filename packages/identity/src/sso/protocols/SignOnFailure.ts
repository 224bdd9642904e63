/** Why a sign-in through an identity provider failed, in words for the person who tried. */
import { Data } from "effect"

/**
 * `detail` is one sentence for people. Nothing in it was taken from an answer that is not verified, except the error code of
 * an identity provider.
 */
export class SignOnFailure extends Data.TaggedError("SignOnFailure")<{
  readonly detail: string
  /** Known claims of the refused person, shown in tests. */
  readonly claims?: Readonly<Record<string, unknown>>
}> {
  override get message(): string {
    return this.detail
  }
}
