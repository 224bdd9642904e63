/** By which contact methods people are notified, and whether critical alerts reach them. */
import { assert, layer } from "@effect/vitest"
import { UserId } from "@kanmon/domain/Ids"
import { NotificationRules } from "@kanmon/monitoring/contact-methods"
import { Effect } from "effect"
import { layerOf, telegram } from "../../support/OnCallBodies.ts"
import { layer as server, person, refused } from "./Server.ts"
import { confirmMethod, join, organizationOf, verify } from "./Team.ts"

const path = "/account/notification-rules"
const methods = "/account/contact-methods"

const entry = (contactMethodId: string, afterMinutes = 0) => ({ afterMinutes, contactMethodId })

layer(server(), { excludeTestServices: true, timeout: "2 minutes" })("notification rules", (it) => {
  it.effect(
    "are the verified address of the account until a person sets them, and again where no method is ready",
    () =>
      Effect.gen(function* () {
        const ada = yield* person
        const rules = yield* NotificationRules
        const paged = Effect.map(rules.peopleFor([UserId.make(ada.userId)], "critical"), ([one]) => one!.entries)
        const [account] = (yield* ada.withSession("GET", methods)).body
        const usual = [entry(account.id)]
        const expected = { critical: usual, warning: usual, info: usual }
        assert.deepStrictEqual((yield* ada.withSession("GET", path)).body, { ...expected, reachable: "no" })
        assert.deepStrictEqual(yield* paged, [])
        yield* verify(ada)
        assert.deepStrictEqual((yield* ada.withSession("GET", path)).body, { ...expected, reachable: "emailOnly" })
        assert.deepStrictEqual(yield* paged, [{ afterMinutes: 0, methodId: account.id }])

        const chat = (yield* ada.withSession("POST", methods, telegram)).body.id
        const critical = [entry(chat), entry(account.id, 5)]
        const set = yield* ada.withSession("PUT", path, { critical, info: [] })
        assert.deepStrictEqual(set.body, { critical, warning: usual, info: [], reachable: "emailOnly" })
        assert.deepStrictEqual(yield* paged, [{ afterMinutes: 5, methodId: account.id }])
        yield* confirmMethod(chat)
        assert.strictEqual((yield* ada.withSession("GET", path)).body.reachable, "yes")
        assert.deepStrictEqual(
          (yield* paged).map(({ methodId }) => methodId),
          [chat, account.id]
        )
        refused(yield* ada.withSession("DELETE", `${methods}/${chat}`), 409, "conflict")
        yield* ada.withSession("PUT", path, {})
        assert.strictEqual((yield* ada.withSession("DELETE", `${methods}/${chat}`)).status, 200)
      })
  )

  it.effect("name methods of one's own, in their order", () =>
    Effect.gen(function* () {
      const [ada, bob] = [yield* person, yield* person]
      const [own] = (yield* ada.withSession("GET", methods)).body
      const [other] = (yield* bob.withSession("GET", methods)).body
      const put = (body: object) => ada.withSession("PUT", path, body)
      refused(yield* put({ info: [entry(other.id)] }), 422, "validation_failed", "info[0].contactMethodId")
      const unordered = { critical: [entry(own.id, 5), entry(own.id, 1)] }
      refused(yield* put(unordered), 422, "validation_failed", "critical[1].afterMinutes")
      refused(yield* put({ critical: [entry(own.id, 1441)] }), 422, "validation_failed", "critical[0].afterMinutes")
      refused(yield* put({ urgent: [] }), 422, "validation_failed", "urgent")
      assert.strictEqual((yield* ada.withKey("GET", path)).status, 403)
    })
  )

  it.effect("make schedules warn of people whom critical alerts do not reach, and say no more of them", () =>
    Effect.gen(function* () {
      const ada = yield* person
      yield* verify(ada)
      const bob = yield* join(ada, "responder")
      const schedules = `/organizations/${yield* organizationOf(ada)}/schedules`
      const body = { name: "Shop", timezone: "UTC", layers: [layerOf("All", [ada.userId, bob.userId])] }
      const made = yield* ada.withSession("POST", schedules, body)
      const warnings = Effect.map(
        ada.withSession("GET", `${schedules}/${made.body.id}`),
        ({ body: schedule }) =>
          new Map(schedule.warnings.map((one: { code: string; userId: string }) => [one.userId, one.code]))
      )
      yield* bob.withSession("PUT", path, { critical: [] })
      const found = yield* warnings
      assert.strictEqual(found.get(ada.userId), "participant_by_email_only")
      assert.strictEqual(found.get(bob.userId), "participant_unreachable")
      const chat = (yield* ada.withSession("POST", methods, telegram)).body.id
      yield* confirmMethod(chat)
      yield* ada.withSession("PUT", path, { critical: [entry(chat)] })
      assert.isUndefined((yield* warnings).get(ada.userId))
    })
  )

  it.effect("make lists of members say whom critical alerts reach, and nothing of where", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const bob = yield* join(ada, "responder")
      const cleo = yield* join(ada, "viewer")
      yield* verify(ada)
      const list = `/organizations/${yield* organizationOf(ada)}/members`
      const chat = (yield* ada.withSession("POST", methods, telegram)).body.id
      yield* confirmMethod(chat)
      yield* ada.withSession("PUT", path, { critical: [entry(chat)] })
      yield* cleo.withSession("PUT", path, { critical: [] })
      const { body: members } = yield* cleo.withSession("GET", list)
      assert.deepStrictEqual(
        new Map(members.map(({ reachable, userId }: any) => [userId, reachable])),
        new Map([
          [ada.userId, "yes"],
          [bob.userId, "emailOnly"],
          [cleo.userId, "no"]
        ])
      )
      const text = JSON.stringify(members)
      for (const secret of [telegram.config.chatId, telegram.config.botToken, telegram.name, chat])
        assert.notInclude(text, secret)
      const changed = yield* ada.withSession("PATCH", `${list}/${bob.userId}`, { role: "editor" })
      assert.deepInclude(changed.body, { role: "editor", reachable: "emailOnly" })
    })
  )
})
