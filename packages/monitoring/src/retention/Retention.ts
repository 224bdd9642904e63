/**
 * Deletes data past retention, and maintains partitions and rollups. Each feature deletes its own rows; this service calls
 * them. Safe to run in several processes.
 */
import { auditRetentionDays } from "@kanmon/domain/AuditEntry"
import { keptDays } from "@kanmon/domain/Capture"
import { dayMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer } from "effect"
import { FailedSignIns, SignInAttempts } from "@kanmon/identity/accounts"
import { SessionRepository } from "@kanmon/identity/users"
import { AlertRetention } from "../alerts/index.ts"
import { AuditRepository } from "@kanmon/identity/audit"
import { ChannelRetentionRepository } from "../channels/index.ts"
import { CaptureRepository, Partitions, ResultMoving, Rollups, Timings } from "../evaluation/index.ts"
import { HeartbeatRetentionRepository } from "../heartbeats/index.ts"
import { PlatformRetention } from "@kanmon/platform/PlatformRetention"
import { PendingRepository } from "@kanmon/identity/sso"

export class Retention extends Context.Service<Retention>()("@kanmon/monitoring/retention/Retention", {
  make: Effect.gen(function* () {
    const { keep } = yield* Partitions
    const { move } = yield* ResultMoving
    const { fill } = yield* Rollups
    const timings = yield* Timings
    const sessions = yield* SessionRepository
    const signInAttempts = yield* SignInAttempts
    const failedSignIns = yield* FailedSignIns
    const captures = yield* CaptureRepository
    const alerts = yield* AlertRetention
    const channels = yield* ChannelRetentionRepository
    const heartbeats = yield* HeartbeatRetentionRepository
    const audit = yield* AuditRepository
    const platform = yield* PlatformRetention
    const signOns = yield* PendingRepository

    /** Creates the partitions of the next days and drops those past retention. */
    const partitions = Effect.fn("Retention.partitions")(keep)

    /** Fills the hour and day rollups of closed periods, many at a time; returns the numbers of the one that filled more. */
    const rollups = Effect.zipWith(fill, timings.fill, (one, other) => ({
      hours: Math.max(one.hours, other.hours),
      days: Math.max(one.days, other.days)
    }))

    /**
     * Deletes what has expired: idempotency keys, sessions, codes, allowances, failed sign-ins, and sign-ins on their way.
     * Failed sign-ins of the last hour are summed up in the audit log.
     */
    const expire = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      yield* platform.deleteExpired(now)
      yield* sessions.deleteExpired(now)
      yield* signInAttempts.deleteForgotten(now)
      yield* failedSignIns.recordOld
      yield* channels.deleteExpired(now)
      yield* signOns.deleteExpired(now)
    }).pipe(Effect.withSpan("Retention.expire"))

    /** Deletes resolved alerts, heartbeat signals and their texts, and captures past retention. */
    const history = Effect.fn("Retention.history")(function* (retentionDays: number) {
      const now = yield* Clock.currentTimeMillis
      const before = now - retentionDays * dayMillis
      yield* alerts.deleteResolvedBefore(before)
      const textsBefore = now - Math.min(retentionDays, keptDays) * dayMillis
      yield* heartbeats.deleteBefore(before, textsBefore)
      yield* timings.expire
      yield* captures.deleteBefore(textsBefore)
    })

    /** Deletes old entries of the audit log. They are kept for longer than other data, independent of the setting. */
    const auditLog = Effect.flatMap(Clock.currentTimeMillis, (now) =>
      audit.deleteBefore(now - auditRetentionDays * dayMillis)
    ).pipe(Effect.withSpan("Retention.auditLog"))

    return { partitions, move, rollups, expire, history, auditLog }
  })
}) {
  static readonly layer = Layer.effect(Retention, Retention.make).pipe(
    Layer.provide([
      AuditRepository.layer,
      ChannelRetentionRepository.layer,
      HeartbeatRetentionRepository.layer,
      PendingRepository.layer,
      PlatformRetention.layer,
      SessionRepository.layer
    ])
  )
}
