/**
 * Tests of a person's own chain of pages: their notification rules, with the real delays and contact methods, until they acknowledge.
 * Pure.
 */
import { Schema } from "effect"
import { type Person, withPerson } from "./EscalationLists.ts"
import { ContactMethodId, PageTestId } from "./Ids.ts"
import { Severity } from "./Severity.ts"
import { type EpochMillis, Timestamp } from "./Timestamp.ts"

/** How a test stands. `unreached`: every page failed. `unanswered`: pages were sent, and not acknowledged in time. */
export const PageTestState = Schema.Literals(["running", "acknowledged", "unanswered", "unreached"])
export type PageTestState = typeof PageTestState.Type

/** How a page of a test stands. `waiting`: its delay is not over. `dropped`: the test ended before it was sent. */
export const TestPageStatus = Schema.Literals(["waiting", "sending", "held", "delivered", "failed", "dropped"])
export type TestPageStatus = typeof TestPageStatus.Type

/** One page of a test: to one contact method. */
export const TestPage = Schema.Struct({
  contactMethodId: ContactMethodId.annotate({ description: "The contact method; it may be deleted meanwhile" }),
  dueAt: Timestamp.annotate({ description: "When the notification rules say that it is sent" }),
  status: TestPageStatus.annotate({
    description:
      "`waiting` for its delay, `sending`, `held` by quiet hours, `delivered`: the provider accepted it, `failed`, or `dropped`: the test ended before it was sent"
  }),
  detail: Schema.NullOr(Schema.String).annotate({
    description: "The answer of the provider, or why it is not sent; recipients are masked"
  }),
  heldUntil: Schema.NullOr(Timestamp).annotate({ description: "Until when quiet hours hold it" }),
  finishedAt: Schema.NullOr(Timestamp).annotate({ description: "When it was delivered, or failed" }),
  isAnswered: Schema.Boolean.annotate({ description: "Whether the test was acknowledged with the link of this page" })
})
export type TestPage = typeof TestPage.Type

export const PageTest = Schema.Struct({
  id: PageTestId,
  severity: Severity.annotate({ description: "The pages are those of an alert of this severity" }),
  state: PageTestState.annotate({
    description:
      "`running`, `acknowledged`, `unanswered` when no one acknowledged in time, or `unreached` when every page failed"
  }),
  startedAt: Timestamp,
  endsAt: Timestamp.annotate({
    description: "Until when it can be acknowledged: 30 minutes after its last page is due"
  }),
  endedAt: Schema.NullOr(Timestamp).annotate({ description: "Null while it runs" }),
  pages: Schema.Array(TestPage).annotate({ description: "In the order in which they are due" })
}).annotate({ identifier: "PageTest" })
export type PageTest = typeof PageTest.Type

/** A page of a test that is about to begin. */
export interface PlannedPage {
  readonly contactMethodId: ContactMethodId
  readonly dueAt: EpochMillis
}

/** Time to acknowledge after the last page is due. */
export const answerMillis = 30 * 60_000

/** The pages of a test that begins at an instant: those of the person's list, as an escalation would send them. */
export const plannedPages = (person: Pick<Person, "entries" | "userId">, at: EpochMillis): ReadonlyArray<PlannedPage> =>
  withPerson([], person, { _tag: "Asked", number: 0 }, at).flatMap(({ entries }) =>
    entries.map(({ dueAt, methodId }) => ({ contactMethodId: ContactMethodId.make(methodId), dueAt }))
  )

/** Until when a test can be acknowledged. */
export const endOf = (pages: ReadonlyArray<Pick<PlannedPage, "dueAt">>, at: EpochMillis): EpochMillis =>
  Math.max(at, ...pages.map(({ dueAt }) => dueAt)) + answerMillis

/** A stored test as far as it decides. */
interface Running<Page> {
  readonly endsAt: EpochMillis
  readonly pages: ReadonlyArray<Page>
}

/** The next step of a running test: how it ends, or which pages are due and when it is to be looked at again. */
export type PageTestStep<Page> =
  | { readonly _tag: "End"; readonly state: Exclude<PageTestState, "running" | "acknowledged"> }
  | { readonly _tag: "Send"; readonly due: ReadonlyArray<Page>; readonly lookAt: EpochMillis }

export const pageTestStep = <Page extends Pick<TestPage, "dueAt" | "status">>(
  { endsAt, pages }: Running<Page>,
  now: EpochMillis
): PageTestStep<Page> => {
  if (pages.every(({ status }) => status === "failed")) return { _tag: "End", state: "unreached" }
  if (now >= endsAt) return { _tag: "End", state: "unanswered" }
  const waiting = pages.filter(({ status }) => status === "waiting")
  const later = waiting.filter(({ dueAt }) => dueAt > now)
  return {
    _tag: "Send",
    due: waiting.filter(({ dueAt }) => dueAt <= now),
    lookAt: Math.min(endsAt, ...later.map(({ dueAt }) => dueAt))
  }
}
