/** The daily partitions of the table `observations`. Days are `YYYYMMDD`. */
import { dayMillis, type EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

export class PartitionRepository extends Context.Service<PartitionRepository>()(
  "@kanmon/monitoring/evaluation/PartitionRepository",
  {
    make: Effect.map(SqlClient.SqlClient, (sql) => {
      /** Creates the partition of a day. Rows of the day that were caught by the default partition move along. */
      const create = Effect.fnUntraced(function* (day: string) {
        const name = `observations_${day}`
        const begin = beginOf(day)
        const from = new Date(begin)
        const to = new Date(begin + dayMillis)
        // An insert that has chosen the default partition by then would fail when the day gets one of its own.
        yield* sql`LOCK TABLE observations IN SHARE ROW EXCLUSIVE MODE`
        yield* sql.unsafe(`CREATE TABLE "${name}" (LIKE observations INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`)
        yield* sql`WITH moved AS (DELETE FROM observations_default WHERE scheduled_at >= ${from} AND scheduled_at < ${to} RETURNING *)
          INSERT INTO ${sql(name)} SELECT * FROM moved`
        yield* sql.unsafe(
          `ALTER TABLE observations ATTACH PARTITION "${name}" FOR VALUES FROM ('${from.toISOString()}') TO ('${to.toISOString()}')`
        )
      }, Effect.orDie)

      return {
        /** Waits until no other transaction changes partitions; holds until the transaction ends. */
        lock: sql`SELECT pg_advisory_xact_lock(${lockId}::bigint)`.pipe(Effect.asVoid, Effect.orDie),
        /** The days that have a partition, oldest first. */
        days: Effect.map(
          partitions(sql`SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
            WHERE i.inhparent = 'observations'::regclass ORDER BY c.relname`),
          (rows) => rows.flatMap(({ name }) => /^observations_(\d{8})$/.exec(name)?.[1] ?? [])
        ),
        create,
        /** Drops the partition of a day, with its rows. */
        drop: (day: string) => sql.unsafe(`DROP TABLE "observations_${day}"`).pipe(Effect.asVoid, Effect.orDie),
        /**
         * Drops the partition of a day once it takes no room: its rows were deleted, and a vacuum gives their room back, so that
         * no lock is held while it is looked through. It stays while others use it.
         */
        dropEmpty: Effect.fnUntraced(function* (day: string) {
          yield* sql.unsafe(`VACUUM (SKIP_LOCKED, TRUNCATE) "observations_${day}"`)
          yield* Effect.gen(function* () {
            yield* sql`SELECT pg_advisory_xact_lock(${lockId}::bigint)`
            yield* sql`SET LOCAL lock_timeout = '200ms'`
            // In the order of those who write, so that neither waits for the other.
            yield* sql`LOCK TABLE ONLY observations IN ACCESS EXCLUSIVE MODE`
            yield* sql.unsafe(`LOCK TABLE "observations_${day}" IN ACCESS EXCLUSIVE MODE`)
            const empty = yield* sql.unsafe(`SELECT 1 WHERE pg_relation_size('"observations_${day}"') = 0`)
            if (empty.length > 0) yield* sql.unsafe(`DROP TABLE "observations_${day}"`)
          }).pipe(
            sql.withTransaction,
            Effect.catchIf(
              ({ reason }) => reason._tag === "LockTimeoutError",
              () => Effect.void
            )
          )
        }, Effect.orDie),
        /** Deletes rows of the default partition that were due before an instant. */
        deleteDefaultBefore: (at: EpochMillis) =>
          sql`DELETE FROM observations_default WHERE scheduled_at < ${new Date(at)}`.pipe(Effect.asVoid, Effect.orDie)
      }
    })
  }
) {
  static readonly layer = Layer.effect(PartitionRepository, PartitionRepository.make)
}

/** When a day begins. */
export const beginOf = (day: string): EpochMillis => Date.parse(day.replace(/^(\d{4})(\d{2})(\d{2})$/, "$1-$2-$3"))

const lockId = 0x6b616e7061

const partitions = Rows.all(Schema.Struct({ name: Schema.String }))
