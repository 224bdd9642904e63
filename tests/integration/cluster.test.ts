/** Distribution of work over engines that share a database, and takeover. */
import { eventually } from "@kanmon/testkit/Eventually"
import { assert, describe, it } from "@effect/vitest"
import { partitions } from "@kanmon/domain/Subjects"
import * as Cluster from "@kanmon/platform/cluster/Cluster"
import * as Database from "@kanmon/platform/database/Database"
import { EngineLocks } from "@kanmon/platform/cluster/EngineLocks"
import * as Migrations from "@kanmon/platform/database/Migrations"
import { Effect, Exit, Layer, type Redacted, Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import * as TestDatabase from "../support/TestDatabase.ts"

/** Who runs what now. */
class Book {
  readonly jobs = new Map<string, Array<string>>()
  most = 0

  readonly held = (job: string, engine: string): Effect.Effect<void, never, Scope.Scope> =>
    Effect.acquireRelease(
      Effect.sync(() => {
        const holders = [...(this.jobs.get(job) ?? []), engine]
        this.jobs.set(job, holders)
        this.most = Math.max(this.most, holders.length)
      }),
      () =>
        Effect.sync(() =>
          this.jobs.set(
            job,
            this.jobs.get(job)!.filter((holder) => holder !== engine)
          )
        )
    )

  readonly of = (engine: string): number => [...this.jobs.values()].filter((holders) => holders.includes(engine)).length

  readonly all = (): number => [...this.jobs.values()].filter((holders) => holders.length > 0).length
}

/** An engine of its own connections, and how it ends. */
const start = Effect.fnUntraced(function* (id: string, url: Redacted.Redacted, book: Book) {
  const scope = yield* Scope.fork(yield* Effect.scope)
  const work = Layer.mergeAll(
    Cluster.singleton("only", Layer.effectDiscard(book.held("only", id))),
    Cluster.partitioned("part", (partition) =>
      Effect.andThen(book.held(`part-${partition}`, id), Effect.never).pipe(Effect.scoped)
    )
  ).pipe(
    Layer.provide(Cluster.layer(id)),
    Layer.provide(EngineLocks.layer),
    Layer.provide(Database.layer(url, { maxConnections: 3 }))
  )
  yield* Layer.buildWithScope(work, scope)
  return Scope.close(scope, Exit.void)
})

const until = (what: string, condition: () => boolean) =>
  eventually(Effect.suspend(() => (condition() ? Effect.void : Effect.fail(what))))

describe("a cluster of engines", () => {
  it.live("divides the partitions, runs every job once, and continues after an engine leaves", () =>
    Effect.gen(function* () {
      const url = yield* TestDatabase.create
      yield* Migrations.run.pipe(Effect.provide(Database.layer(url, { maxConnections: 1 })))
      const book = new Book()
      const leaveOne = yield* start("one", url, book)
      yield* until("one engine does everything", () => book.of("one") === partitions + 1)
      yield* start("two", url, book)
      yield* until("both have work", () => book.of("two") > 0 && book.all() === partitions + 1)
      assert.isAtLeast(book.of("two"), partitions / 3)
      assert.isAtLeast(book.of("one"), partitions / 3)
      yield* leaveOne
      yield* until("the other has it all", () => book.of("two") === partitions + 1)
      assert.strictEqual(book.of("one"), 0)
      assert.strictEqual(book.most, 1, "nothing was done by two at a time")
    }).pipe(Effect.scoped, Effect.provide(SecureRandom.layerWebCrypto))
  )
})
