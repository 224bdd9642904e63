/** Foresees the escalation of an alert that no one answers, by the rules of real ones. */
import { decide, type Decision, nextDueAt, opened } from "@kanmon/domain/Escalation"
import { decidingPart, type PolicyPlan } from "@kanmon/domain/EscalationPolicy"
import type { MonitorId, OrganizationId, UserId } from "@kanmon/domain/Ids"
import { MonitorNotFound } from "@kanmon/domain/NotFound"
import { heldUntil as quietUntil, type QuietHours } from "@kanmon/domain/QuietHours"
import type { Severity } from "@kanmon/domain/Severity"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import type { PreviewEntry } from "@kanmon/protocol/EscalationPolicyBody"
import { Clock, Context, Effect, Layer } from "effect"
import { PersonalQuietHours } from "../contact-methods/index.ts"
import { StepTargets } from "./StepTargets.ts"
import { TargetRepository } from "./TargetRepository.ts"

/** Most entries of an answer. */
const maxEntries = 1000

/** The alert to preview the escalation of. */
interface Occasion {
  /** When it opens; undefined: now. */
  readonly at?: EpochMillis
  readonly monitorId?: MonitorId
  /** Undefined: critical. */
  readonly severity?: Severity
}

export class PolicyPreviews extends Context.Service<PolicyPreviews>()("@kanmon/monitoring/escalation/PolicyPreviews", {
  make: Effect.gen(function* () {
    const targets = yield* StepTargets
    const records = yield* TargetRepository
    const quietHours = yield* PersonalQuietHours

    const heldUntil = Effect.fnUntraced(function* (
      id: OrganizationId,
      monitorId: MonitorId | undefined,
      at: EpochMillis
    ) {
      if (monitorId === undefined) return null
      const held = yield* records.heldUntil(id, monitorId, at)
      return held === undefined ? yield* new MonitorNotFound({ id: monitorId }) : held.until
    })

    return {
      of: Effect.fn("PolicyPreviews.of")(function* (
        id: OrganizationId,
        plan: PolicyPlan,
        { at, monitorId, severity = "critical" }: Occasion
      ) {
        const deciding = decidingPart(plan)
        const from = at ?? (yield* Clock.currentTimeMillis)
        const until = yield* heldUntil(id, monitorId, from)
        let state = opened(deciding, from)
        if (until !== null) {
          state = decide(deciding, state, { _tag: "Held", at: from }).state
          state = decide(deciding, state, { _tag: "Released", at: until }).state
        }
        const first = state.firstRound
        const entries: Array<PreviewEntry> = []
        const types = new Map<string, string>()
        const hours = new Map<UserId, QuietHours>()
        for (;;) {
          const dueAt = nextDueAt(state)
          if (dueAt === null || entries.length > maxEntries) break
          const now = Math.max(dueAt, from)
          const decision = yield* targets.due({ organizationId: id, severity }, { ...plan, deciding }, state, now)
          const unknown = decision.pages.flatMap((page) =>
            page._tag === "Person" && !types.has(page.methodId) ? [page] : []
          )
          if (unknown.length > 0) {
            const found = yield* records.methodTypes(unknown.map(({ methodId }) => methodId))
            for (const [methodId, type] of found) types.set(methodId, type)
            const held = yield* quietHours.ofUsers(unknown.map(({ userId }) => userId))
            for (const [userId, own] of held) hours.set(userId, own)
          }
          const holdOf = (userId: UserId) => {
            const own = hours.get(userId)
            return own === undefined ? null : quietUntil(own, severity, now)
          }
          entries.push(...entriesOf(decision, now, first, types, holdOf))
          state = decision.pages.reduce(
            (after, page) => decide(deciding, after, { _tag: "Outcome", at: now, page, reached: true }).state,
            decision.state
          )
          yield* Effect.yieldNow
        }
        return {
          heldUntil: until,
          entries: entries.slice(0, maxEntries),
          truncated: entries.length > maxEntries
        }
      })
    }
  })
}) {
  static readonly layer = Layer.effect(PolicyPreviews, PolicyPreviews.make).pipe(
    Layer.provide([StepTargets.layer, TargetRepository.layer, PersonalQuietHours.layer])
  )
}

const nothing = { userId: null, channelId: null, methodType: null, heldUntil: null }

/** The entries of a decision, each page after the step that caused it. Rounds are counted from the first one. */
const entriesOf = (
  { pages, state, told }: Decision,
  at: EpochMillis,
  first: number,
  types: ReadonlyMap<string, string>,
  holdOf: (userId: UserId) => EpochMillis | null
): ReadonlyArray<PreviewEntry> => {
  const paged = pages.map((page): PreviewEntry => {
    const { round, step } =
      page.cause._tag === "Step" ? page.cause : { round: state.round, step: null as number | null }
    const who =
      page._tag === "Person"
        ? { userId: page.userId, methodType: types.get(page.methodId) ?? null, heldUntil: holdOf(page.userId) }
        : { channelId: page.channelId }
    return { at, type: "page", round, step, ...nothing, ...who }
  })
  const ran = new Set<string>()
  const steps = told.flatMap((one): ReadonlyArray<PreviewEntry> => {
    switch (one._tag) {
      case "StepRan": {
        ran.add(`${one.round}.${one.step}`)
        const own = paged.filter(({ round, step }) => round === one.round && step === one.step)
        return [{ at, type: "step_ran", round: one.round, step: one.step, ...nothing }, ...own]
      }
      case "NobodyReached":
        return [{ at, type: "nobody_reached", round: one.round, step: one.step, ...nothing }]
      case "Exhausted":
        return [{ at, type: "exhausted", round: state.round, step: null, ...nothing }]
      case "AcknowledgementEnded":
        return []
    }
  })
  return [...paged.filter(({ round, step }) => !ran.has(`${round}.${step}`)), ...steps].map((entry) => ({
    ...entry,
    round: entry.round - first
  }))
}
