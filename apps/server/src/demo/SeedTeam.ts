/** Creates the people of the demo, their schedule and their escalation policy, through the product's services. */
import * as Team from "@kanmon/demo/Team"
import { dayMillis } from "@kanmon/domain/Timestamp"
import type { OrganizationId, UserId } from "@kanmon/domain/Ids"
import { Invitations } from "@kanmon/identity/organizations"
import { ContactMethods, NotificationRules } from "@kanmon/monitoring/contact-methods"
import { Policies } from "@kanmon/monitoring/escalation"
import { Schedules } from "@kanmon/monitoring/on-call"
import * as EscalationPolicyBody from "@kanmon/protocol/EscalationPolicyBody"
import * as ScheduleBody from "@kanmon/protocol/ScheduleBody"
import { Clock, Effect } from "effect"

interface Person {
  readonly userId: UserId
  readonly email: string
}

/** Makes the owner of an account a member who can be on call. */
const join = Effect.fnUntraced(function* (id: OrganizationId, owner: UserId, { email, userId }: Person) {
  const invitations = yield* Invitations
  const { token } = yield* invitations.create(id, { userId: owner, needsVerified: false }, { email, role: "editor" })
  yield* invitations.accept(token, { userId, email })
})

/** Adds a confirmed contact method by which the person is paged. */
const reach = Effect.fnUntraced(function* (person: Person, key: Team.TeamMember, httpPort: number) {
  const methods = yield* ContactMethods
  const rules = yield* NotificationRules
  const config = Team.phoneOf(key, httpPort)
  const method = yield* methods.create(person, {
    name: "Phone",
    type: "ntfy",
    config,
    destination: methods.countedAs(`${config.serverUrl}${config.topic}`)
  })
  const code = "000000"
  yield* methods.keepCode(method, code, (yield* Clock.currentTimeMillis) + dayMillis)
  yield* methods.enter(person, method.id, code)
  const entries = [{ afterMinutes: 0, contactMethodId: method.id }]
  yield* rules.set(person, { critical: entries, warning: entries, info: [] })
})

/** Creates all of it in the organization of `owner`; returns the policy. */
export const run = Effect.fn("SeedTeam.run")(function* <E, R>(
  id: OrganizationId,
  owner: Person,
  httpPort: number,
  signUp: (account: { readonly name: string; readonly email: string }) => Effect.Effect<UserId, E, R>
) {
  const schedules = yield* Schedules
  const policies = yield* Policies
  const joined = yield* Effect.forEach(Team.colleagues, ({ email, key, name }) =>
    Effect.gen(function* () {
      const person = { userId: yield* signUp({ name, email }), email }
      yield* join(id, owner.userId, person)
      return { key, person }
    })
  )
  const people = [{ key: "you" as const, person: owner }, ...joined]
  for (const { key, person } of people) yield* reach(person, key, httpPort)
  const userIds = Object.fromEntries(people.map(({ key, person }) => [key, person.userId])) as Record<
    Team.TeamMember,
    UserId
  >
  const now = yield* Clock.currentTimeMillis
  const schedule = yield* Effect.flatMap(
    Effect.fromResult(ScheduleBody.decode(Team.scheduleBody(userIds, now))),
    (draft) => schedules.create(id, draft)
  )
  return yield* Effect.flatMap(
    Effect.fromResult(EscalationPolicyBody.decode(Team.policyBody(schedule.id, userIds))),
    (draft) => policies.create(id, draft)
  )
})
