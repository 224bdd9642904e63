/**
 * Page tests: a person pages themselves, by their own rules and with the queue and the contact methods of real pages, until they
 * acknowledge.
 */
import type { Notice } from "@kanmon/core/Notice"
import { idFrom, type PageTestId, type UserId } from "@kanmon/domain/Ids"
import { nextPageTestId } from "@kanmon/domain/Ids"
import { PageTestNotFound } from "@kanmon/domain/NotFound"
import { endOf, pageTestStep, plannedPages } from "@kanmon/domain/PageTest"
import type { Severity } from "@kanmon/domain/Severity"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { AuditLog } from "@kanmon/identity/audit"
import { Transaction } from "@kanmon/platform/Transaction"
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { pageTestKind } from "../alerts/index.ts"
import { testNotice } from "../channels/index.ts"
import { NotificationRules } from "../contact-methods/index.ts"
import { DeliveryQueue, type Message } from "../delivery/index.ts"
import { NoPageToTest, PageTestOver, PageTestRuns } from "./PageTestErrors.ts"
import { PageTestRepository, type StoredPageTest, type StoredTestPage } from "./PageTestRepository.ts"

/** Tests of a person that are kept. */
const kept = 10

interface Person {
  readonly userId: UserId
  readonly email: string
}

/** How a test was acknowledged: signed in, or with the link of a page. */
type AnswerBy = { readonly pageId: string | null; readonly name?: string }

export class PageTests extends Context.Service<PageTests>()("@kanmon/monitoring/page-tests/PageTests", {
  make: Effect.gen(function* () {
    const repository = yield* PageTestRepository
    const rules = yield* NotificationRules
    const queue = yield* DeliveryQueue
    const audit = yield* AuditLog
    const transaction = yield* Transaction
    const random = yield* SecureRandom.SecureRandom
    const nextId = Effect.provideService(nextPageTestId, SecureRandom.SecureRandom, random)
    const newId = (prefix: string) => Effect.map(random.ulid, (ulid) => idFrom(prefix, ulid))

    const messageOf = Effect.fnUntraced(function* (test: StoredPageTest, page: StoredTestPage, baseUrl: string) {
      const id = yield* newId("dlv")
      return {
        id,
        about: { kind: pageTestKind, id: test.id },
        entryId: page.id,
        topic: test.id,
        to: { contactMethodId: page.contactMethodId },
        projectId: null,
        purpose: "open",
        resendEvery: 0,
        notice: noticeOf(test, id, baseUrl)
      } satisfies Message
    })

    /** Ends a locked test, and takes back what is not sent yet. */
    const end = Effect.fnUntraced(function* (
      { id, pages }: StoredPageTest,
      state: "acknowledged" | "unanswered" | "unreached",
      at: EpochMillis
    ) {
      const unsent = pages.flatMap(({ id: pageId, status }) => (["sending", "held"].includes(status) ? [pageId] : []))
      // Messages before pages, as the end of an attempt locks them.
      yield* queue.cancelEntries(unsent, at, "The page test is over")
      yield* repository.end(id, state, at)
    })

    /** Does what is due of a locked test. */
    const advance = Effect.fnUntraced(function* (test: StoredPageTest, baseUrl: string, at: EpochMillis) {
      const step = pageTestStep(test, at)
      if (step._tag === "End") return yield* end(test, step.state, at)
      const messages = yield* Effect.forEach(step.due, (page) => messageOf(test, page, baseUrl))
      yield* repository.sending(
        test.id,
        step.due.map(({ id }) => id),
        step.lookAt
      )
      yield* queue.append(messages, at)
    })

    const get = Effect.fn("PageTests.get")(function* (userId: UserId, id: PageTestId) {
      const test = yield* repository.find(id)
      return test?.userId === userId ? test : yield* new PageTestNotFound({ id })
    })

    /** The pages that a test of the person would send now; fails while another test runs. */
    const planned = Effect.fn("PageTests.planned")(function* (userId: UserId, severity: Severity, at: EpochMillis) {
      if ((yield* repository.ofUser(userId)).some(({ endedAt }) => endedAt === null)) return yield* new PageTestRuns()
      const [person] = yield* rules.peopleFor([userId], severity)
      const pages = person === undefined ? [] : plannedPages(person, at)
      return pages.length === 0 ? yield* new NoPageToTest({ severity }) : pages
    })

    /** Begins a test, with what is due at once. */
    const start = Effect.fn("PageTests.start")(function* (
      { email, userId }: Person,
      severity: Severity,
      baseUrl: string
    ) {
      const at = yield* Clock.currentTimeMillis
      const pages = yield* planned(userId, severity, at)
      const id = yield* nextId
      const named = yield* Effect.forEach(pages, (page) =>
        Effect.map(newId("ptp"), (pageId) => ({ ...page, id: pageId }))
      )
      if (!(yield* repository.insert({ id, userId, severity, endsAt: endOf(pages, at), pages: named }, at)))
        return yield* new PageTestRuns()
      yield* queue.forget({ kind: pageTestKind, ids: yield* repository.prune(userId, kept) })
      yield* audit.record([
        {
          action: "account.page_test_started",
          target: { id: userId, name: email },
          accountId: userId,
          before: {},
          after: { severity, pages: pages.length }
        }
      ])
      yield* advance((yield* repository.lock(id))!, baseUrl, at)
      return (yield* repository.find(id))!
    }, transaction.run)

    /** Ends a test as acknowledged; returns it. */
    const acknowledge = Effect.fn("PageTests.acknowledge")(function* (id: PageTestId, { name, pageId }: AnswerBy) {
      const at = yield* Clock.currentTimeMillis
      const test = yield* repository.lock(id)
      if (test === undefined) return yield* new PageTestNotFound({ id })
      if (test.endedAt !== null) return yield* new PageTestOver({ state: test.state })
      if (pageId !== null) yield* repository.answered(pageId, at)
      yield* end(test, "acknowledged", at)
      yield* audit.record([
        {
          action: "account.page_test_acknowledged",
          target: { id: test.userId, name: test.email },
          accountId: test.userId,
          ...(name === undefined ? {} : { actor: { kind: "person", id: null, name } }),
          before: {},
          after: { by: pageId === null ? "dashboard" : "link" }
        }
      ])
      return (yield* repository.find(id))!
    }, transaction.run)

    const runNext = Effect.fnUntraced(function* (baseUrl: string) {
      const at = yield* Clock.currentTimeMillis
      const test = yield* repository.claim(at)
      if (test === undefined) return false
      yield* advance(test, baseUrl, at)
      return true
    }, transaction.run)

    return {
      planned,
      start,
      get,
      /** The newest tests of a person, newest first. */
      list: repository.ofUser,
      find: repository.find,
      acknowledge,
      /** Does everything that is due. */
      runDue: Effect.fn("PageTests.runDue")(function* (baseUrl: string) {
        while (yield* runNext(baseUrl));
      })
    }
  })
}) {
  static readonly layer = Layer.effect(PageTests, PageTests.make).pipe(
    Layer.provide([PageTestRepository.layer, NotificationRules.layer])
  )
}

/** The notice of a test. */
const noticeOf = ({ id: alertId, severity, startedAt }: StoredPageTest, id: string, baseUrl: string): Notice =>
  testNotice(
    {
      id,
      alertId,
      severity,
      at: startedAt,
      startedAt,
      project: { id: "", name: "" },
      reason: `You test how ${severity} alerts page you. Acknowledge this page, as you would a real one`
    },
    baseUrl
  )
