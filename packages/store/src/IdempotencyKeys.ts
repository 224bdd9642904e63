/** First answers to requests that carry an Idempotency-Key, kept for 24 hours. */
import { Context, type Effect } from "effect"

export interface StoredAnswer {
  readonly status: number
  readonly body: string
}

export type Claim =
  /** Nobody used the key: go on, then `finish` or `abandon`. */
  | { readonly _tag: "Fresh" }
  /** The same request was answered before. */
  | { readonly _tag: "Answered"; readonly answer: StoredAnswer }
  /** The key was used for another request. */
  | { readonly _tag: "Mismatch" }
  /** The same request is being answered right now. */
  | { readonly _tag: "Busy" }

export class IdempotencyKeys extends Context.Service<
  IdempotencyKeys,
  {
    /** `scope` names the caller, `fingerprint` is a hash over method, path and body. A claim left open is free again after a minute. */
    readonly claim: (scope: string, key: string, fingerprint: string) => Effect.Effect<Claim>
    readonly finish: (scope: string, key: string, answer: StoredAnswer) => Effect.Effect<void>
    /** The request failed in a way that may be tried again. */
    readonly abandon: (scope: string, key: string) => Effect.Effect<void>
  }
>()("@kanmon/store/IdempotencyKeys") {}
