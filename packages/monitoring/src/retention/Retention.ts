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
import { CaptureRepository, Partitions, Rollups, Timings } from "../evaluation/index.ts"
import { HeartbeatRetentionRepository } from "../heartbeats/index.ts"
import { PlatformRetention } from "@kanmon/platform/PlatformRetention"
import { PendingRepository } from "@kanmon/identity/sso"

export class Retention extends Context.Service<
  Retention,
  {
    /** Creates the partitions of the next days and drops those past retention. */
    readonly partitions: (retentionDays: number) => Effect.Effect<{ readonly made: number; readonly dropped: number }>
    /** Fills the hour and day rollups of closed periods, many at a time; returns the numbers of the one that filled more. */
    readonly rollups: Effect.Effect<{ readonly hours: number; readonly days: number }>
    /**
     * Deletes what has expired: idempotency keys, sessions, codes, allowances, failed sign-ins, and sign-ins on their way.
     * Failed sign-ins of the last hour are summed up in the audit log.
     */
    readonly expire: Effect.Effect<void>
    /** Deletes resolved alerts, heartbeat signals and their texts, and captures past retention. */
    readonly history: (retentionDays: number) => Effect.Effect<void>
    /** Deletes old entries of the audit log. They are kept for longer than other data, independent of the setting. */
    readonly auditLog: Effect.Effect<void>
  }
>()("@kanmon/monitoring/retention/Retention") {
  static readonly layer = Layer.effect(
    Retention,
    Effect.gen(function* () {
      const { keep } = yield* Partitions
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

      const partitions = Effect.fn("Retention.partitions")(keep)

      const rollups = Effect.zipWith(fill, timings.fill, (one, other) => ({
        hours: Math.max(one.hours, other.hours),
        days: Math.max(one.days, other.days)
      }))

      const expire = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        yield* platform.deleteExpired(now)
        yield* sessions.deleteExpired(now)
        yield* signInAttempts.deleteForgotten(now)
        yield* failedSignIns.recordOld
        yield* channels.deleteExpired(now)
        yield* signOns.deleteExpired(now)
      }).pipe(Effect.withSpan("Retention.expire"))

      const history: Retention["Service"]["history"] = Effect.fn("Retention.history")(function* (retentionDays) {
        const now = yield* Clock.currentTimeMillis
        const before = now - retentionDays * dayMillis
        yield* alerts.deleteResolvedBefore(before)
        const textsBefore = now - Math.min(retentionDays, keptDays) * dayMillis
        yield* heartbeats.deleteBefore(before, textsBefore)
        yield* timings.expire
        yield* captures.deleteBefore(textsBefore)
      })

      const auditLog = Effect.flatMap(Clock.currentTimeMillis, (now) =>
        audit.deleteBefore(now - auditRetentionDays * dayMillis)
      ).pipe(Effect.withSpan("Retention.auditLog"))

      return Retention.of({ partitions, rollups, expire, history, auditLog })
    })
  ).pipe(
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
