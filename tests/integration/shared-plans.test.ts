/** The organizations that one account founded share the plan of those without a subscription, and nobody else's. */
import { assert, layer } from "@effect/vitest"
import { Organizations } from "@kanmon/identity/testing/organizations/Organizations.ts"
import { Members } from "@kanmon/identity/testing/organizations/Members.ts"
import { Plans } from "@kanmon/identity/testing/billing/Plans.ts"
import { Projects } from "@kanmon/identity/testing/projects/Projects.ts"
import { freePlanId } from "@kanmon/domain/Plan"
import { type OrganizationId, UserId } from "@kanmon/domain/Ids"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { environmentWith } from "../support/Stage.ts"
import { create, hear, plan, sold } from "../support/Subscribers.ts"

let accounts = 0

const account = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const id = UserId.make(`usr_sharer${++accounts}`)
  yield* sql`INSERT INTO users (id, name, email, created_at, updated_at)
    VALUES (${id}, 'Ada', ${`${id}@example.org`}, now(), now())`
  return id
})

/** An organization of the account, and a way to add monitors to it. */
const found = Effect.fnUntraced(function* (founder: UserId) {
  const organizations = yield* Organizations
  const id = yield* organizations.create(founder, "Acme")
  const [project] = yield* (yield* Projects).ofOrganization(id)
  return { id, add: (count = 1) => Effect.forEach(Array.from({ length: count }), () => create(project!.id)) }
})

const join = Effect.fnUntraced(function* (id: OrganizationId, userId: UserId, role: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO organization_members (organization_id, user_id, role, source, created_at)
    VALUES (${id}, ${userId}, ${role}, 'invitation', now())`
})

const leave = Effect.fnUntraced(function* (id: OrganizationId, userId: UserId, by: UserId = userId) {
  yield* (yield* Members).remove(id, by, userId)
})

const refusedAs = (limited: string) => (effect: Effect.Effect<unknown, unknown, unknown>) =>
  Effect.map(Effect.flip(effect as Effect.Effect<unknown, { readonly limited?: string }>), (error) =>
    assert.strictEqual(error.limited, limited, JSON.stringify(error))
  )

layer(environmentWith("plan_free"), { timeout: "60 seconds", excludeTestServices: true })("the free plan", (it) => {
  const limit = 4
  const small = Effect.gen(function* () {
    yield* sold
    yield* (yield* Plans).update(freePlanId, (current) => Effect.succeed({ ...current, monitors: limit }))
  })

  it.effect("is shared by the organizations that one account founded", () =>
    Effect.gen(function* () {
      yield* small
      const ada = yield* account
      const [first, second] = [yield* found(ada), yield* found(ada)]
      yield* first.add(3)
      yield* second.add(1)
      yield* refusedAs("sharedMonitors")(second.add())
      yield* refusedAs("sharedMonitors")(first.add())
      const other = yield* found(yield* account)
      yield* other.add(limit)
      yield* refusedAs("monitors")(other.add())
    })
  )

  it.effect("gives the last place to one of two organizations that ask at once", () =>
    Effect.gen(function* () {
      yield* small
      const ada = yield* account
      const all = yield* Effect.forEach([1, 2, 3], () => found(ada))
      const asked = all.flatMap(({ add }) => Array.from({ length: 4 }, () => Effect.option(add())))
      const made = yield* Effect.all(asked, { concurrency: "unbounded" })
      assert.strictEqual(made.filter(({ _tag }) => _tag === "Some").length, limit)
    })
  )

  it.effect("does not count organizations with a subscription, and does not stop them", () =>
    Effect.gen(function* () {
      yield* small
      const ada = yield* account
      const [free, paid, trial] = [yield* found(ada), yield* found(ada), yield* found(ada)]
      yield* hear(paid.id, plan("pro"))
      yield* hear(trial.id, plan("pro"), "trialing")
      yield* free.add(limit)
      yield* paid.add(limit + 1)
      yield* trial.add(1)
      yield* refusedAs("monitors")(free.add())
      // When it ends, what is there stays and counts.
      yield* hear(trial.id, plan("pro"), "canceled")
      yield* refusedAs("sharedMonitors")(trial.add())
      yield* paid.add()
    })
  )

  it.effect("is not multiplied by giving organizations away", () =>
    Effect.gen(function* () {
      yield* small
      const [ada, helper] = [yield* account, yield* account]
      // Filled, and then given away: what was left behind still counts.
      const filled = yield* found(ada)
      yield* filled.add(limit)
      yield* join(filled.id, helper, "owner")
      yield* leave(filled.id, ada)
      const next = yield* found(ada)
      yield* refusedAs("sharedMonitors")(next.add())
      // Given away empty, and then filled by the one who took it: it counts for that one.
      const empty = yield* found(ada)
      yield* join(empty.id, helper, "owner")
      yield* leave(empty.id, ada)
      yield* refusedAs("sharedMonitors")(empty.add())
      // Who steps down stays the one for whom it counts.
      const grace = yield* account
      const led = yield* found(grace)
      yield* led.add(limit)
      yield* join(led.id, helper, "owner")
      yield* (yield* Members).changeRole(led.id, helper, grace, "admin")
      yield* refusedAs("sharedMonitors")((yield* found(grace)).add())
    })
  )

  it.effect("of an account is used up by no organization that others gave to it", () =>
    Effect.gen(function* () {
      yield* small
      const [mallory, victim] = [yield* account, yield* account]
      const gift = yield* found(mallory)
      yield* gift.add(limit)
      yield* join(gift.id, victim, "owner")
      yield* leave(gift.id, mallory)
      const own = yield* found(victim)
      yield* own.add(limit)
      // What others add to what an account has given away does not count for it.
      const [giver, taker] = [yield* account, yield* account]
      const given = yield* found(giver)
      yield* join(given.id, taker, "owner")
      yield* leave(given.id, giver)
      yield* given.add(limit)
      yield* (yield* found(giver)).add(limit)
    })
  )
})
