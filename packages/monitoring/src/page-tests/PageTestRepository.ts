/** The tables of page tests and of their pages. */
import { ContactMethodId, PageTestId, UserId } from "@kanmon/domain/Ids"
import { PageTestState, type PlannedPage, TestPageStatus } from "@kanmon/domain/PageTest"
import { Severity } from "@kanmon/domain/Severity"
import { type EpochMillis, toIso } from "@kanmon/domain/Timestamp"
import type { Question } from "@kanmon/platform/DueWork"
import * as Rows from "@kanmon/platform/database/Rows"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"

const TestRow = Schema.Struct({
  id: PageTestId,
  userId: UserId,
  email: Schema.String,
  severity: Severity,
  state: PageTestState,
  startedAt: Rows.Time,
  endsAt: Rows.Time,
  endedAt: Schema.NullOr(Rows.Time)
})

const PageRow = Schema.Struct({
  id: Schema.String,
  testId: PageTestId,
  contactMethodId: ContactMethodId,
  dueAt: Rows.Time,
  status: TestPageStatus,
  detail: Schema.NullOr(Schema.String),
  heldUntil: Schema.NullOr(Rows.Time),
  finishedAt: Schema.NullOr(Rows.Time),
  isAnswered: Schema.Boolean
})
export type StoredTestPage = typeof PageRow.Type

export interface StoredPageTest extends Schema.Schema.Type<typeof TestRow> {
  readonly pages: ReadonlyArray<StoredTestPage>
}

/** A test that is about to begin. */
interface NewTest {
  readonly id: PageTestId
  readonly userId: UserId
  readonly severity: Severity
  readonly endsAt: EpochMillis
  readonly pages: ReadonlyArray<PlannedPage & { readonly id: string }>
}

const dueTests = (now: Date) => (sql: SqlClient.SqlClient) =>
  sql`t.ended_at IS NULL AND (t.look_at <= ${now}
    OR NOT EXISTS (SELECT FROM page_test_pages p WHERE p.test_id = t.id AND p.status <> 'failed'))`

/** Whether a page of a test is due, or a test ends. */
export const isPageTestDue: Question = (sql, now) => sql`EXISTS (SELECT FROM page_tests t WHERE ${dueTests(now)(sql)})`

export class PageTestRepository extends Context.Service<PageTestRepository>()(
  "@kanmon/monitoring/page-tests/PageTestRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.asVoid(Effect.orDie(statement))

      const read = Effect.fnUntraced(function* (which: Statement.Fragment) {
        const found = yield* tests(sql`SELECT t.id, t.user_id AS "userId", u.email, t.severity, t.state,
          t.started_at AS "startedAt", t.ends_at AS "endsAt", t.ended_at AS "endedAt"
          FROM page_tests t JOIN users u ON u.id = t.user_id WHERE ${which}`)
        const all =
          yield* pages(sql`SELECT id, test_id AS "testId", contact_method_id AS "contactMethodId", due_at AS "dueAt",
          status, detail, held_until AS "heldUntil", finished_at AS "finishedAt", answered_at IS NOT NULL AS "isAnswered"
          FROM page_test_pages WHERE test_id = ANY(${found.map(({ id }) => id)}::text[]) ORDER BY test_id, position`)
        const ofTest = Map.groupBy(all, ({ testId }) => testId)
        return found.map((test): StoredPageTest => ({ ...test, pages: ofTest.get(test.id) ?? [] }))
      })

      return {
        /** Stores a test; returns false, and stores nothing, while another one of the person runs. */
        insert: Effect.fn("PageTestRepository.insert")(function* (test: NewTest, at: EpochMillis) {
          const { endsAt, id, severity, userId } = test
          const inserted =
            yield* Rows.any(sql`INSERT INTO page_tests (id, user_id, severity, state, started_at, ends_at, look_at)
            VALUES (${id}, ${userId}, ${severity}, 'running', ${new Date(at)}, ${new Date(endsAt)}, ${new Date(at)})
            ON CONFLICT (user_id) WHERE ended_at IS NULL DO NOTHING RETURNING id`)
          if (!inserted) return false
          const rows = test.pages.map(({ contactMethodId, dueAt, id: pageId }, position) => ({
            id: pageId,
            contactMethodId,
            dueAt: toIso(dueAt),
            position
          }))
          yield* run(sql`INSERT INTO page_test_pages (id, test_id, contact_method_id, position, due_at, status)
            SELECT id, ${id}, "contactMethodId", position, "dueAt", 'waiting' FROM json_to_recordset(${JSON.stringify(rows)}::json)
              AS v(id text, "contactMethodId" text, position integer, "dueAt" timestamptz)`)
          return true
        }),
        /** The tests of a person, newest first. */
        ofUser: (userId: UserId) => read(sql`t.user_id = ${userId} ORDER BY t.started_at DESC, t.id DESC`),
        find: (id: string) => Effect.map(read(sql`t.id = ${id}`), ([test]) => test),
        /** Locks a test until the transaction ends. */
        lock: Effect.fn("PageTestRepository.lock")(function* (id: string) {
          yield* run(sql`SELECT FROM page_tests WHERE id = ${id} FOR NO KEY UPDATE`)
          return (yield* read(sql`t.id = ${id}`))[0]
        }),
        /** Locks a test that has something to do, unless another process has it. */
        claim: Effect.fn("PageTestRepository.claim")(function* (now: EpochMillis) {
          const row = yield* ids(sql`SELECT t.id FROM page_tests t WHERE ${dueTests(new Date(now))(sql)}
            LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`)
          return row === undefined ? undefined : (yield* read(sql`t.id = ${row.id}`))[0]
        }),
        /** Marks pages as handed to delivery, and sets when the test is looked at again. */
        sending: (id: PageTestId, pageIds: ReadonlyArray<string>, lookAt: EpochMillis) =>
          Effect.andThen(
            run(sql`UPDATE page_test_pages SET status = 'sending' WHERE id = ANY(${pageIds}::text[])`),
            run(sql`UPDATE page_tests SET look_at = ${new Date(lookAt)} WHERE id = ${id}`)
          ),
        /** Ends a test; its pages without an outcome are dropped. */
        end: (id: PageTestId, state: PageTestState, at: EpochMillis) =>
          Effect.andThen(
            run(sql`UPDATE page_test_pages SET status = 'dropped'
              WHERE test_id = ${id} AND status IN ('waiting', 'sending', 'held')`),
            run(
              sql`UPDATE page_tests SET state = ${state}, ended_at = ${new Date(at)}, look_at = NULL WHERE id = ${id}`
            )
          ),
        answered: (pageId: string, at: EpochMillis) =>
          run(sql`UPDATE page_test_pages SET answered_at = ${new Date(at)} WHERE id = ${pageId}`),
        /** Stores outcomes. A page that the provider accepted when the test had just ended counts as delivered. */
        settle: (
          outcomes: ReadonlyArray<{
            readonly id: string
            readonly status: "delivered" | "failed"
            readonly detail: string
          }>,
          at: EpochMillis
        ) =>
          run(sql`UPDATE page_test_pages p SET status = v.status, detail = v.detail, held_until = NULL,
              finished_at = ${new Date(at)}
            FROM json_to_recordset(${JSON.stringify(outcomes)}::json) AS v(id text, status text, detail text)
            WHERE v.id = p.id AND (p.status IN ('sending', 'held') OR p.status = 'dropped' AND v.status = 'delivered')`),
        /** Stores why pages wait. */
        delay: (pageIds: ReadonlyArray<string>, detail: string, heldUntil: EpochMillis | null) =>
          run(sql`UPDATE page_test_pages SET detail = ${detail}, status = ${heldUntil === null ? "sending" : "held"},
              held_until = ${heldUntil === null ? null : new Date(heldUntil)}
            WHERE id = ANY(${pageIds}::text[]) AND status IN ('sending', 'held')`),
        /** Deletes all tests of a person but the newest; returns the ids of those. */
        prune: (userId: UserId, keep: number) =>
          Effect.map(
            deleted(sql`DELETE FROM page_tests WHERE ended_at IS NOT NULL AND id IN (
              SELECT id FROM page_tests WHERE user_id = ${userId} ORDER BY started_at DESC, id DESC OFFSET ${keep}) RETURNING id`),
            (rows) => rows.map(({ id }) => id)
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(PageTestRepository, PageTestRepository.make)
}

const tests = Rows.all(TestRow)
const pages = Rows.all(PageRow)
const ids = Rows.first(Schema.Struct({ id: PageTestId }))
const deleted = Rows.all(Schema.Struct({ id: PageTestId }))
