import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as fc from "fast-check"
import type { Target } from "../src/EscalationPolicy.ts"
import { ScheduleId, TeamId, UserId } from "../src/Ids.ts"
import { type Naming, peopleNamed } from "../src/NamedPeople.ts"
import { distinctReasons, pageReason, PageReason } from "../src/PageReason.ts"

const user = (name: string): UserId => Schema.decodeSync(UserId)(`usr_${name}`)
const people = ["ada", "bob", "cy", "dee"].map(user)
const scheduleIds = ["one", "two"].map((name) => Schema.decodeSync(ScheduleId)(`sch_${name}`))
const teamIds = ["one", "two"].map((name) => Schema.decodeSync(TeamId)(`team_${name}`))

const oneOf = <A>(all: ReadonlyArray<A>) => fc.constantFrom(...all)
const person = oneOf(people)
const instant = fc.integer({ min: 0, max: 4_000_000_000_000 })

const target: fc.Arbitrary<Target> = fc.oneof(
  fc.record({ scheduleId: oneOf(scheduleIds) }),
  fc.record({ scheduleId: oneOf(scheduleIds), position: fc.constantFrom("now" as const, "next" as const) }),
  fc.record({ userId: person }),
  fc.record({ teamId: oneOf(teamIds) })
)

const turn = fc.record({
  name: fc.string({ maxLength: 300 }),
  userId: fc.option(person),
  until: fc.option(instant),
  next: fc.option(fc.record({ userId: person, from: instant }))
})
const team = fc.record({ name: fc.string({ maxLength: 300 }), memberIds: fc.uniqueArray(person) })

const naming: fc.Arbitrary<Naming> = fc.record({
  schedules: fc.array(turn, { maxLength: 2 }).map((turns) => new Map(turns.map((one, at) => [scheduleIds[at]!, one]))),
  teams: fc.array(team, { maxLength: 2 }).map((teams) => new Map(teams.map((one, at) => [teamIds[at]!, one]))),
  policy: fc.option(fc.string({ maxLength: 300 })),
  step: fc.option(fc.nat(19))
})

/** The people whom one target names. */
const namedByOne = ({ position, scheduleId, teamId, userId }: Target, { schedules, teams }: Naming) => {
  if (userId !== undefined) return [userId]
  if (teamId !== undefined) return teams.get(teamId)?.memberIds ?? []
  const found = schedules.get(scheduleId!)
  const who = position === "next" ? found?.next?.userId : found?.userId
  return who == null ? [] : [who]
}

const kinds = ({ position, teamId, userId }: Target) =>
  userId !== undefined ? "person" : teamId !== undefined ? "team" : position === "next" ? "next_on_call" : "on_call"

const reason = fc.oneof(
  fc.constant(pageReason("no_one_reached")),
  fc
    .record({ name: fc.constantFrom("Primary", "Second"), until: fc.option(fc.constantFrom(1, 2)) })
    .map((of) => pageReason("on_call", of)),
  fc.record({ note: fc.option(fc.constantFrom("a", "b")) }).map((of) => pageReason("asked", { name: "Ada", ...of }))
)

describe("the people whom a step names", () => {
  it("are each there once, in their order, with the reason of the first target that names them", () => {
    fc.assert(
      fc.property(fc.array(target, { maxLength: 6 }), naming, (targets, around) => {
        const found = peopleNamed(targets, around)
        const expected = targets.flatMap((one) =>
          namedByOne(one, around).map((userId) => [userId, kinds(one)] as const)
        )
        const firsts = new Map(expected.toReversed())
        assert.deepStrictEqual([...found.keys()], [...new Set(expected.map(([userId]) => userId))])
        for (const [userId, { kind, policy, step }] of found) {
          assert.strictEqual(kind, firsts.get(userId))
          assert.strictEqual(step, around.step)
          assert.strictEqual(policy === null, around.policy === null)
        }
      })
    )
  })

  it("have reasons that are stored and read as they are, and are bounded", () => {
    fc.assert(
      fc.property(
        fc.array(target, { maxLength: 6 }),
        naming,
        fc.string({ unit: "binary", maxLength: 60 }).map((text) => text.repeat(12)),
        (targets, around, note) => {
          const asked = pageReason("asked", { name: note, note })
          for (const one of [...peopleNamed(targets, around).values(), asked]) {
            const stored = JSON.stringify(Schema.encodeSync(PageReason)(one))
            assert.deepStrictEqual({ ...Schema.decodeUnknownSync(PageReason)(JSON.parse(stored)) }, { ...one })
            assert.isAtMost((one.name ?? "").length, 200)
            assert.isAtMost((one.policy ?? "").length, 200)
            assert.isAtMost((one.note ?? "").length, 500)
          }
        }
      )
    )
  })
})

describe("the reasons of one message", () => {
  it("are each there once, at most three, and first comes first", () => {
    fc.assert(
      fc.property(fc.array(reason, { maxLength: 12 }), (reasons) => {
        const found = distinctReasons(reasons).map((one) => JSON.stringify(one))
        const all = [...new Set(reasons.map((one) => JSON.stringify(one)))]
        assert.deepStrictEqual(found, all.slice(0, 3))
      })
    )
  })
})
