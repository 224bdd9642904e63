/** Why a person is paged, with the names as they are at that moment: stored with the page, because names change. Pure. */
import { Schema } from "effect"
import { Timestamp } from "./Timestamp.ts"

/** The longest name and the longest note of a reason. */
const maxName = 200
const maxNote = 500

/** The most reasons of one message. */
const maxReasons = 3

export const PageReasonKind = Schema.Literals([
  "on_call",
  "next_on_call",
  "team",
  "person",
  "asked",
  "acknowledgement_ended",
  "no_one_reached",
  "no_one_answered"
])
export type PageReasonKind = typeof PageReasonKind.Type

export const PageReason = Schema.Struct({
  kind: PageReasonKind.annotate({
    description:
      "`on_call` and `next_on_call`: in a schedule; `team`: as a member; `person`: by name in the policy; `asked`: somebody asks " +
      "for help; `acknowledgement_ended`: the person acknowledged, and that no longer holds; `no_one_reached` and " +
      "`no_one_answered`: as an owner, at the end of the policy. More values may be added"
  }),
  name: Schema.NullOr(Schema.String).annotate({
    description: "Name of the schedule or the team, or of who asks; null for other kinds"
  }),
  from: Schema.NullOr(Timestamp).annotate({
    description: "When the turn of the next person on call begins; null for other kinds"
  }),
  until: Schema.NullOr(Timestamp).annotate({
    description:
      "When the turn of the person on call ends; null for other kinds, and for a turn that ends in over 400 days"
  }),
  note: Schema.NullOr(Schema.String).annotate({
    description: "Beginning of the note of who asks; null without one"
  }),
  policy: Schema.NullOr(Schema.String).annotate({
    description: "Name of the policy; null for other causes than a policy, and for a deleted policy"
  }),
  step: Schema.NullOr(Schema.Int).annotate({ description: "Step of the policy, from 0; null where none is concerned" })
}).annotate({ identifier: "PageReason" })
export type PageReason = typeof PageReason.Type

/** A reason of this kind; names and notes that are too long are cut. */
export const pageReason = (kind: PageReasonKind, of: Partial<Omit<PageReason, "kind">> = {}): PageReason => ({
  kind,
  name: short(of.name, maxName),
  from: of.from ?? null,
  until: of.until ?? null,
  note: short(of.note, maxNote),
  policy: short(of.policy, maxName),
  step: of.step ?? null
})

const short = (text: string | null | undefined, limit: number): string | null =>
  text == null || text.length <= limit ? (text ?? null) : `${text.slice(0, limit - 1).toWellFormed()}…`

/** The reasons of one message, each once. */
export const distinctReasons = (reasons: ReadonlyArray<PageReason>): ReadonlyArray<PageReason> =>
  [...new Map(reasons.map((reason) => [keyOf(reason), reason])).values()].slice(0, maxReasons)

/** The end of a turn is part of it: two turns are two reasons. */
const keyOf = ({ from, kind, name, note, policy, step, until }: PageReason): string =>
  JSON.stringify([kind, name, from, until, note, policy, step])
