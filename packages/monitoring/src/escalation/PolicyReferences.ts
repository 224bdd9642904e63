/** Whether what policies name exists in their organization, and what of it would reach no one. */
import { RecipientPolicy } from "@kanmon/core/Recipient"
import { type Named, namedBy, type PolicyPlan } from "@kanmon/domain/EscalationPolicy"
import { type FieldError, InvalidFields } from "@kanmon/domain/FieldErrors"
import type { ChannelId, OrganizationId, ScheduleId, TeamId, UserId } from "@kanmon/domain/Ids"
import { roleFor } from "@kanmon/domain/Role"
import type { Reachable } from "@kanmon/domain/NotificationRules"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import type { PolicyWarning } from "@kanmon/protocol/EscalationPolicyBody"
import { Clock, Context, Effect, Layer } from "effect"
import { OnDuty } from "../on-call/index.ts"
import { TargetRepository } from "./TargetRepository.ts"

const needed = roleFor("schedules.override")

export class PolicyReferences extends Context.Service<PolicyReferences>()(
  "@kanmon/monitoring/escalation/PolicyReferences",
  {
    make: Effect.gen(function* () {
      const onDuty = yield* OnDuty
      const records = yield* TargetRepository
      const recipients = yield* RecipientPolicy

      /** Reads the records that are named. */
      const read = Effect.fnUntraced(function* (id: OrganizationId, named: ReadonlyArray<Named>, at: EpochMillis) {
        const ids = <Id extends string>(kind: Named["kind"]) =>
          [
            ...new Set(named.flatMap((one) => (one.kind === kind ? one.id : [])))
          ] as ReadonlyArray<string> as ReadonlyArray<Id>
        const [schedules, teams, channels] = yield* Effect.all([
          onDuty.named(id, ids<ScheduleId>("schedule")),
          records.members(id, ids<TeamId>("team")),
          records.channels(id, ids<ChannelId>("channel"))
        ])
        const people = new Set<UserId>([
          ...ids<UserId>("user"),
          ...[...schedules.values()].flatMap((of) => [...of]),
          ...[...teams.values()].flatMap(({ memberIds }) => memberIds)
        ])
        return { schedules, teams, channels, absent: yield* onDuty.absent(id, [...people], at) }
      })
      type Records = Effect.Success<ReturnType<typeof read>>

      /** Refuses a policy with references outside the organization. References of the earlier version may stay. */
      const admit = Effect.fn("PolicyReferences.admit")(function* (
        id: OrganizationId,
        plan: PolicyPlan,
        earlier?: PolicyPlan
      ) {
        const kept = new Set(earlier === undefined ? [] : namedBy(earlier).map((one) => one.id))
        const named = namedBy(plan).filter((one) => !kept.has(one.id))
        const found = yield* read(id, named, yield* Clock.currentTimeMillis)
        const errors = named.flatMap(({ path, ...one }): ReadonlyArray<FieldError> => {
          const message = objection(one, found)
          return message === undefined ? [] : [{ path, message }]
        })
        if (errors.length > 0) return yield* new InvalidFields({ errors })
      })

      const objection = (one: Pick<Named, "id" | "kind">, { absent, channels, schedules, teams }: Records) => {
        switch (one.kind) {
          case "schedule":
            return schedules.has(one.id as ScheduleId)
              ? undefined
              : `The organization has no on-call schedule ${one.id}`
          case "team":
            return teams.has(one.id as TeamId) ? undefined : `The organization has no team ${one.id}`
          case "channel":
            return channels.has(one.id as ChannelId)
              ? undefined
              : `No project of the organization has the channel ${one.id}`
          case "user": {
            const found = absent.get(one.id as UserId)
            if (found?.why === "left") return `The organization has no member ${one.id}; invite the person first`
            return found?.why === "may_not_respond"
              ? `This member has the role ${found.role}; give them the role ${needed} first`
              : undefined
          }
        }
      }

      const warningOf = (
        { id, kind }: Named,
        { absent, channels, schedules, teams }: Records
      ): Pick<PolicyWarning, "code" | "message"> | undefined => {
        const noneThere = (people: Iterable<UserId>) =>
          [...people].every((userId) => absent.has(userId) && absent.get(userId)?.why !== "away")
        switch (kind) {
          case "schedule":
            return noneThere(schedules.get(id as ScheduleId) ?? [])
              ? { code: "schedule_empty", message: "No participant of the schedule can be on call" }
              : undefined
          case "team": {
            const members = teams.get(id as TeamId)?.memberIds
            if (members === undefined) return { code: "team_gone", message: "The team does not exist any more" }
            return noneThere(members)
              ? { code: "team_empty", message: `No member of the team has the role ${needed}` }
              : undefined
          }
          case "channel": {
            const channel = channels.get(id as ChannelId)
            if (channel === undefined) return { code: "channel_gone", message: "The channel does not exist any more" }
            if (channel.isOff) return { code: "channel_off", message: "The channel is switched off" }
            return recipients.confirm && channel.confirmation === "pending"
              ? { code: "channel_unconfirmed", message: "The recipient has not confirmed that it wants notifications" }
              : undefined
          }
          case "user": {
            const found = absent.get(id as UserId)
            if (found === undefined) return undefined
            if (found.why === "left")
              return { code: "person_left", message: "The person is no member of the organization" }
            return found.why === "away"
              ? { code: "person_away", message: "The person is away" }
              : {
                  code: "person_may_not_respond",
                  message: `The member has the role ${found.role}, and needs the role ${needed}`
                }
          }
        }
      }

      return {
        admit,
        /** Records that each of the policies of one organization names and would not reach now, in the same order. */
        warnings: Effect.fn("PolicyReferences.warnings")(function* (
          id: OrganizationId,
          plans: ReadonlyArray<PolicyPlan>
        ) {
          const named = plans.map(namedBy)
          const found = yield* read(id, named.flat(), yield* Clock.currentTimeMillis)
          return named.map((of) =>
            of.flatMap((one): ReadonlyArray<PolicyWarning> => {
              const warning = warningOf(one, found)
              return warning === undefined ? [] : [{ ...warning, path: one.path }]
            })
          )
        })
      }
    })
  }
) {
  static readonly layer = Layer.effect(PolicyReferences, PolicyReferences.make).pipe(
    Layer.provide([OnDuty.layer, TargetRepository.layer])
  )
}

const reachWarnings = {
  no: { code: "person_unreachable", message: "No critical alert reaches the person" },
  emailOnly: { code: "person_by_email_only", message: "Critical alerts reach the person by e-mail alone" }
} as const

/** The people whom a policy names. */
export const peopleIn = (plan: PolicyPlan): ReadonlyArray<UserId> =>
  plan.steps.flatMap(({ notify }) => notify.flatMap(({ userId }) => userId ?? []))

/** The warnings of a policy with those of people whom critical alerts do not reach, or reach by e-mail alone. */
export const withReach = (
  plan: PolicyPlan,
  warnings: ReadonlyArray<PolicyWarning>,
  reached: ReadonlyMap<UserId, Reachable>
): ReadonlyArray<PolicyWarning> => {
  // How a person is reached who has left is no matter of the organization any more.
  const known = new Set(warnings.map(({ path }) => path))
  const more = namedBy(plan).flatMap(({ id, kind, path }): ReadonlyArray<PolicyWarning> => {
    const reachable = kind === "user" && !known.has(path) ? reached.get(id as UserId) : undefined
    return reachable === undefined || reachable === "yes" ? [] : [{ ...reachWarnings[reachable], path }]
  })
  return [...warnings, ...more]
}

/** A rule with the policy, and the channels that it notifies by itself. */
interface TellingRule {
  readonly name: string
  readonly channelIds: ReadonlyArray<ChannelId>
}

/** Warnings of steps that name a channel which a rule with the policy tells already: naming it brings no one else in. */
export const toldAlready = (plan: PolicyPlan, rules: ReadonlyArray<TellingRule>): ReadonlyArray<PolicyWarning> =>
  namedBy({ ...plan, onExhausted: null }).flatMap(({ id, kind, path }): ReadonlyArray<PolicyWarning> => {
    const rule = kind === "channel" ? rules.find(({ channelIds }) => channelIds.includes(id as ChannelId)) : undefined
    if (rule === undefined) return []
    const message = `The alert rule ${rule.name} notifies this channel as soon as an alert opens, so naming it here brings no one else in`
    return [{ code: "channel_told_already", path, message }]
  })

/**
 * The warnings of people who have entries for critical alerts that come when the next step has started: the list goes on, but
 * others are paged by then. `lists`: minutes of the entries, by person.
 */
export const lateEntries = (
  { repeat, repeatAfterMinutes, steps }: PolicyPlan,
  lists: ReadonlyMap<UserId, ReadonlyArray<number>>
): ReadonlyArray<PolicyWarning> =>
  steps.flatMap(({ notify }, step) => {
    const next = steps[step + 1]?.afterMinutes ?? (repeat > 0 ? repeatAfterMinutes : undefined)
    if (next === undefined) return []
    return notify.flatMap(({ userId }, index): ReadonlyArray<PolicyWarning> => {
      const late = userId === undefined ? [] : (lists.get(userId) ?? []).filter((minutes) => minutes >= next)
      if (late.length === 0) return []
      const message = `The next step starts after ${next} minutes, and the person has entries later than that: after ${late.join(", ")} minutes`
      return [{ code: "person_late_entries", path: `steps[${step}].notify[${index}].userId`, message }]
    })
  })
