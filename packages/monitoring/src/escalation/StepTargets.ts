/** The people and channels that the steps of a policy name at an instant. Schedules are asked, and people who are not there are left out. */
import { RecipientPolicy } from "@kanmon/core/Recipient"
import { decide, type Escalation, type Policy, type Targets } from "@kanmon/domain/Escalation"
import type { PolicyPlan, Steps } from "@kanmon/domain/EscalationPolicy"
import type { OrganizationId, UserId } from "@kanmon/domain/Ids"
import type { Severity } from "@kanmon/domain/Severity"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer } from "effect"
import { NotificationRules } from "../contact-methods/index.ts"
import { OnDuty } from "../on-call/index.ts"
import { TargetRepository } from "./TargetRepository.ts"

const nobody: Targets = { people: [], channels: [] }

export class StepTargets extends Context.Service<StepTargets>()("@kanmon/monitoring/escalation/StepTargets", {
  make: Effect.gen(function* () {
    const onDuty = yield* OnDuty
    const records = yield* TargetRepository
    const rules = yield* NotificationRules
    const recipients = yield* RecipientPolicy

    /** The people and channels that a step names at an instant, each once; `named` are the people whether they are there or not. */
    const targetsOf = Effect.fn("StepTargets.of")(function* (
      { organizationId: id, severity }: { readonly organizationId: OrganizationId; readonly severity: Severity },
      notify: Steps[number]["notify"],
      at: EpochMillis
    ) {
      const [onCall, teams, channels] = yield* Effect.all([
        onDuty.in(id, idsOf(notify, "scheduleId"), at),
        records.members(id, idsOf(notify, "teamId")),
        records.channels(id, idsOf(notify, "channelId"))
      ])
      const named = notify.flatMap(({ position, scheduleId, teamId, userId }): ReadonlyArray<UserId> => {
        if (userId !== undefined) return [userId]
        if (teamId !== undefined) return teams.get(teamId) ?? []
        const turn = scheduleId === undefined ? undefined : onCall.get(scheduleId)
        const person = position === "next" ? turn?.next?.userId : turn?.userId
        return person == null ? [] : [person]
      })
      const distinct = [...new Set(named)]
      const absent = yield* onDuty.absent(id, distinct, at)
      return {
        named: distinct,
        people: yield* rules.peopleFor(
          distinct.filter((userId) => !absent.has(userId)),
          severity
        ),
        channels: idsOf(notify, "channelId").filter((channelId) => {
          const channel = channels.get(channelId)
          const waits = recipients.confirm && channel?.confirmation === "pending"
          return channel !== undefined && !channel.isOff && !waits
        })
      }
    })

    /** Decides what is due at an instant, and asks for the targets of the steps that run; people are paged as the severity asks for. */
    const due = Effect.fn("StepTargets.due")(function* (
      of: { readonly organizationId: OrganizationId; readonly severity: Severity },
      plan: PolicyPlan & { readonly deciding: Policy },
      state: Escalation,
      at: EpochMillis
    ) {
      const known = new Map<number, Targets>()
      for (;;) {
        const unknown: Array<number> = []
        const targets = (step: number) => {
          const found = known.get(step)
          if (found === undefined) unknown.push(step)
          return found ?? nobody
        }
        const decision = decide(plan.deciding, state, { _tag: "Due", at, targets })
        const [step] = unknown
        if (step === undefined) return decision
        known.set(step, yield* targetsOf(of, plan.steps[step]!.notify, at))
      }
    })

    return { of: targetsOf, due }
  })
}) {
  static readonly layer = Layer.effect(StepTargets, StepTargets.make).pipe(
    Layer.provide([OnDuty.layer, TargetRepository.layer, NotificationRules.layer])
  )
}

/** The records that targets name by a field, each once. */
const idsOf = <Field extends "channelId" | "scheduleId" | "teamId">(
  notify: Steps[number]["notify"],
  field: Field
): ReadonlyArray<NonNullable<Steps[number]["notify"][number][Field]>> => [
  ...new Set(notify.flatMap((target) => target[field] ?? []))
]
