/**
 * Keeps the bucket of each region equal to the specs in the database: change by change from the outbox, and as a whole when
 * this process starts or a region appears. Several engines may write at the same time without undoing each other's changes.
 */
import { type Bucket, type BucketEntry, type BusUnavailable, EventBus } from "@kanmon/core/EventBus"
import * as TraceContext from "@kanmon/core/TraceContext"
import type { MonitorId } from "@kanmon/domain/Ids"
import { MonitorSpec } from "@kanmon/domain/Monitor"
import { positionBucket, specBucket } from "@kanmon/domain/Subjects"
import type { PlacedSpec } from "./SpecRow.ts"
import { SpecRepository } from "./SpecRepository.ts"
import { Context, Effect, Layer, Schema, Stream } from "effect"

/** Concurrent writes, enough to hide the latency of the bus. */
const concurrency = 64
const pageSize = 1000

export class SpecBuckets extends Context.Service<SpecBuckets>()("@kanmon/monitoring/specs/SpecBuckets", {
  make: Effect.gen(function* () {
    const bus = yield* EventBus
    const repository = yield* SpecRepository
    const behind = new Set<string>()
    const reconciled = new Set<string>()

    /**
     * Tries once for each monitor; returns the monitors with an entry that another engine changed in the meantime.
     */
    const attempt = Effect.fnUntraced(function* (ids: ReadonlyArray<MonitorId>, region: string) {
      const bucket = yield* bus.bucket(specBucket(region))
      // The bucket is read before the database, so that the engine with the newer read of the database wins.
      const present = yield* Effect.forEach(ids, (id) => bucket.get(id), { concurrency })
      const specs = new Map((yield* repository.find(ids)).map((placed) => [placed.spec.id, placed]))
      const conflicts = yield* Effect.forEach(
        ids,
        (id, index) => {
          const { revision, value } = present[index]!
          const placed = specs.get(id)
          const wanted = placed !== undefined && belongs(placed, region) ? encode(placed.spec) : undefined
          if (wanted === value) return Effect.succeed([])
          return Effect.map(bucket.replace(id, wanted, revision), (replaced) => (replaced ? [] : [id]))
        },
        { concurrency }
      )
      return conflicts.flat()
    })

    /**
     * Writes the entries of new monitors without reading the bucket; returns the others, and those that have an entry. An
     * entry that was never written is as old as if it had been read before the database.
     */
    const begin = Effect.fnUntraced(function* (ids: ReadonlyArray<MonitorId>, region: string) {
      const fresh = (yield* repository.find(ids)).filter(
        (placed) => placed.spec.revision === firstRevision && belongs(placed, region)
      )
      if (fresh.length === 0) return ids
      const bucket = yield* bus.bucket(specBucket(region))
      const begun = new Set<MonitorId>()
      yield* Effect.forEach(
        fresh,
        ({ spec }) =>
          Effect.map(bucket.replace(spec.id, encode(spec), neverWritten), (done) => done && begun.add(spec.id)),
        { concurrency, discard: true }
      )
      return ids.filter((id) => !begun.has(id))
    })

    const updateIn = Effect.fnUntraced(function* (ids: ReadonlyArray<MonitorId>, region: string) {
      let left = ids
      while (left.length > 0) left = yield* attempt(left, region)
    })

    /**
     * Updates the entries of these monitors in these regions. A region with a bucket that the bus refuses to write does
     * not fail the others: it is behind until it is reconciled.
     */
    const update = Effect.fn("SpecBuckets.update")((ids: ReadonlyArray<MonitorId>, regions: ReadonlyArray<string>) =>
      Effect.forEach(
        regions,
        (region) =>
          Effect.catch(
            Effect.flatMap(begin(ids, region), (left) => updateIn(left, region)),
            (error) => (error.refused === true ? Effect.sync(() => void behind.add(region)) : Effect.fail(error))
          ).pipe(Effect.annotateSpans(TraceContext.attributesOf({ region }))),
        { discard: true }
      ).pipe(TraceContext.about(TraceContext.shared(ids.map((monitorId) => ({ monitorId })))))
    )

    /** Updates the whole bucket of a region; returns how many entries changed. */
    const reconcile = Effect.fn("SpecBuckets.reconcile")(
      function* (region: string) {
        const present = yield* snapshot(yield* bus.bucket(specBucket(region)))
        let changed = 0
        let after: MonitorId | undefined
        do {
          const page = yield* repository.page(after, pageSize)
          const here = page.filter((placed) => belongs(placed, region)).map(({ spec }) => spec)
          const stale = here.filter((spec) => present.get(spec.id) !== encode(spec)).map(({ id }) => id)
          for (const { id } of here) present.delete(id)
          yield* updateIn(stale, region)
          changed += stale.length
          after = page.length < pageSize ? undefined : page.at(-1)!.spec.id
        } while (after !== undefined)
        // The remaining entries are of monitors that were deleted, paused or moved.
        const left = [...present.keys()] as Array<MonitorId>
        for (let index = 0; index < left.length; index += pageSize)
          yield* updateIn(left.slice(index, index + pageSize), region)
        yield* (yield* bus.bucket(positionBucket)).put(markOf(region), "")
        reconciled.add(region)
        behind.delete(region)
        return changed + left.length
      },
      (effect, region) => TraceContext.about({ region })(effect)
    )

    /** Regions that missed an update, or lost their bucket since it was reconciled. */
    const look = Effect.gen(function* () {
      const marks = yield* bus.bucket(positionBucket)
      for (const region of reconciled) {
        if ((yield* marks.get(markOf(region))).value === undefined) behind.add(region)
      }
      return [...behind]
    })

    return { update, reconcile, behind: look }
  })
}) {
  static readonly layer = Layer.effect(SpecBuckets, SpecBuckets.make)
}

/** The revision of a monitor that was never changed. */
const firstRevision = 1
/** The revision of a key that was never written to a bucket. */
const neverWritten = 0

/** A mark in the same storage as the bucket: a bus that has lost one has lost the other. */
const markOf = (region: string): string => `specs.${region}`

const belongs = ({ regions }: PlacedSpec, region: string): boolean => regions.length === 0 || regions.includes(region)

const encodeSpec = Schema.encodeSync(MonitorSpec)
const encode = (spec: MonitorSpec): string => JSON.stringify(encodeSpec(spec))

const snapshot = (bucket: Bucket): Effect.Effect<Map<string, string>, BusUnavailable> =>
  bucket.watch.pipe(
    Stream.takeWhile((entry) => entry._tag !== "Current"),
    Stream.runFold(
      () => new Map<string, string>(),
      (values, entry: BucketEntry) => {
        if (entry._tag === "Put") values.set(entry.key, entry.value)
        else if (entry._tag === "Delete") values.delete(entry.key)
        return values
      }
    )
  )
