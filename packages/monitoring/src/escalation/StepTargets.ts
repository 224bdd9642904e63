/** The people and channels that the steps of a policy name at an instant. Schedules are asked, and people who are not there are left out. */
import { RecipientPolicy } from "@kanmon/core/Recipient"
import { decide, type Escalation, type Policy, type Targets } from "@kanmon/domain/Escalation"
import type { PolicyPlan, Steps } from "@kanmon/domain/EscalationPolicy"
import type { OrganizationId } from "@kanmon/domain/Ids"
import { peopleNamed } from "@kanmon/domain/NamedPeople"
import type { Severity } from "@kanmon/domain/Severity"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer } from "effect"
import { NotificationRules } from "../contact-methods/index.ts"
import { OnDuty } from "../on-call/index.ts"
import { TargetRepository } from "./TargetRepository.ts"

const nobody: Targets = { people: [], channels: [] }

/** The alert whose targets are asked for, and where a policy names them. */
interface Occasion {
  readonly organizationId: OrganizationId
  readonly severity: Severity
  /** The name of the policy; absent where none is concerned. */
  readonly policy?: string | null
}

export class StepTargets extends Context.Service<StepTargets>()("@kanmon/monitoring/escalation/StepTargets", {
  make: Effect.gen(function* () {
    const onDuty = yield* OnDuty
    const records = yield* TargetRepository
    const rules = yield* NotificationRules
    const recipients = yield* RecipientPolicy

    /**
     * The people and channels that a step names at an instant, each once, with the reason of each person; `named` are the people
     * whether they are there or not.
     */
    const targetsOf = Effect.fn("StepTargets.of")(function* (
      { organizationId: id, policy = null, severity }: Occasion,
      notify: Steps[number]["notify"],
      at: EpochMillis,
      step: number | null = null
    ) {
      const [schedules, teams, channels] = yield* Effect.all([
        onDuty.in(id, idsOf(notify, "scheduleId"), at),
        records.members(id, idsOf(notify, "teamId")),
        records.channels(id, idsOf(notify, "channelId"))
      ])
      const reasons = peopleNamed(notify, { schedules, teams, policy, step })
      const named = [...reasons.keys()]
      const absent = yield* onDuty.absent(id, named, at)
      const people = yield* rules.peopleFor(
        named.filter((userId) => !absent.has(userId)),
        severity
      )
      return {
        named,
        people: people.map((person) => ({ ...person, reason: reasons.get(person.userId) })),
        channels: idsOf(notify, "channelId").filter((channelId) => {
          const channel = channels.get(channelId)
          const waits = recipients.confirm && channel?.confirmation === "pending"
          return channel !== undefined && !channel.isOff && !waits
        })
      }
    })

    /** Decides what is due at an instant, and asks for the targets of the steps that run; people are paged as the severity asks for. */
    const due = Effect.fn("StepTargets.due")(function* (
      of: Occasion,
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
        known.set(step, yield* targetsOf(of, plan.steps[step]!.notify, at, step))
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
