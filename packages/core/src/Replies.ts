/**
 * How people answer pages from their devices: by a key during a call, or with a text message. A channel plugin says how its provider
 * hands answers over; the host decides who answered, what the answers do, and that each counts once. Everything here is pure: it reads a
 * request, and writes the response.
 *
 * The provider posts to `…/api/v1/replies/{provider}/{hook}`. The host bounds the body, asks `isFrom` before anything else, and acts on
 * what `read` returns. `respond` then puts what happened into the provider's words.
 */
import type { Locale } from "@kanmon/domain/Locale"
import type { Notice } from "./Notice.ts"

/** A request of the provider. */
export interface Incoming {
  /** The last part of the address. */
  readonly hook: string
  /** The address as the provider was told it: the public address of the installation, with the path and the query that were asked for. */
  readonly url: string
  /** With names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** As it was sent, at most 64 KiB. */
  readonly body: string
}

/** What a person wants to happen with the alerts of a message. */
export type Choice = "acknowledge" | "escalate"

/** How a message ended at the provider. */
export type Outcome = "delivered" | "completed" | "noAnswer" | "failed"

/**
 * What a request says. `message` is the id of the notice, which the plugin put into the address that the provider calls. `from` is the
 * address of the person, in the form of the channel's recipient. `once` identifies the answer: a second one with the same changes nothing.
 */
export type Reply =
  /** An answer to one message, such as a key during a call. */
  | {
      readonly _tag: "Answer"
      readonly message: string
      readonly from: string
      readonly choice: Choice | "nothing" | "repeat"
      readonly once: string
    }
  /** A text. `command` is undefined where it is none. */
  | {
      readonly _tag: "Text"
      readonly from: string
      readonly command: { readonly choice: Choice; readonly code: string } | undefined
      readonly once: string
    }
  /** The person wants no more messages at this address. */
  | { readonly _tag: "Stop"; readonly from: string; readonly once: string }
  | {
      readonly _tag: "Outcome"
      readonly message: string
      readonly outcome: Outcome
      /** The provider's word for it: `busy`. */
      readonly detail: string
      /** Whether the address refuses messages from now on. */
      readonly isStopped: boolean
    }

/** What the host did with a reply. */
export type Told =
  | { readonly _tag: "Acknowledged" | "Escalated"; readonly alerts: number }
  | { readonly _tag: "AlreadyAcknowledged"; readonly by: string }
  | {
      readonly _tag:
        /** Every alert of the message is over. */
        | "Over"
        /** Somebody, or the policy, was faster. */
        | "AlreadyEscalated"
        /** No policy has a next step for these alerts. */
        | "NothingToEscalate"
        /** As the person asked. */
        | "Nothing"
        | "WrongCode"
        /** The text was no command. */
        | "NoCommand"
    }
  /** The provider says nothing to the person. */
  | { readonly _tag: "Silent" }
  /** The message is said again. */
  | { readonly _tag: "Repeat"; readonly notice: Notice }

export interface Response {
  readonly contentType: string
  readonly body: string
}

/** The replies of one provider. */
export interface Replies<Settings = unknown> {
  /** Names it in the address: lower-case letters, digits and dashes. Channels that share a provider share one definition. */
  readonly provider: string
  /** The last part of its addresses. */
  readonly hooks: ReadonlyArray<string>
  /** Whether the operator's settings suffice to tell its requests from others; the others are answered with 503. */
  readonly isSetUp: (settings: Settings) => boolean
  /** Whether the provider sent the request. Compares secrets in constant time. */
  readonly isFrom: (incoming: Incoming, settings: Settings) => boolean
  /** What it says; undefined: nothing that is understood. */
  readonly read: (incoming: Incoming) => Reply | undefined
  readonly respond: (
    incoming: Incoming,
    told: Told,
    reader: { readonly language: Locale; readonly address: string }
  ) => Response
}
