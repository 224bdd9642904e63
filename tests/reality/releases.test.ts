/**
 * Databases that earlier releases filled, each through its own API, are opened by this one: every record is answered as before, what
 * was told is not told twice, recoveries are told, and people sign in with all that they signed in with. The fixtures hold dumps and answers; see their README.
 */
import { readFileSync } from "node:fs"
import * as path from "node:path"
import { gunzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { cookieOf } from "../support/Cookies.ts"
import * as DebianPostgres from "../support/DebianPostgres.ts"
import * as Product from "../support/Product.ts"
import { type Call, client } from "./fixtures/Calls.ts"
import * as Members from "./fixtures/Members.ts"
import { answersOf, createOnce, type Made } from "./fixtures/Records.ts"
import { secret, shifted } from "./fixtures/Release.ts"
import * as Surroundings from "./fixtures/Surroundings.ts"

const unpacked = (name: string): string =>
  gunzipSync(readFileSync(path.join(import.meta.dirname, "fixtures", name))).toString("utf8")

/** Checks and signals go on; the plan without payments is another one now (docs/operate/upgrade.md). */
const mayDiffer: ReadonlySet<string> = new Set([
  "planId",
  "effectivePlanId",
  "lastCheckedAt",
  "lastFailure",
  "lastSignalAt",
  "lastSeenAt",
  "lastUsedAt",
  "count"
])

/** The address of an installation is not a part of its records. */
const withoutAddress = (text: string): string =>
  text.replaceAll(/http:\/\/(?:127\.0\.0\.1|localhost):\d+\//g, "http://kanmon.test/")

const parsed = (answer: unknown): unknown => JSON.parse(withoutAddress(JSON.stringify(answer)))

/** The paths at which a later answer lacks or changes what an earlier one had. It may have more. */
const lost = (before: unknown, after: unknown, at = ""): ReadonlyArray<string> => {
  if (Array.isArray(before)) {
    if (!Array.isArray(after)) return [`${at}: ${JSON.stringify(after)}`]
    return before.flatMap((item, index) => lost(item, matching(item, after, index), `${at}[${index}]`))
  }
  if (typeof before === "object" && before !== null)
    return Object.entries(before).flatMap(([key, value]) =>
      mayDiffer.has(key) ? [] : lost(value, (after as Record<string, unknown> | undefined)?.[key], `${at}.${key}`)
    )
  return Object.is(before, after) ? [] : [`${at}: ${JSON.stringify(before)} became ${JSON.stringify(after)}`]
}

/** Of a list, the entry with the same id: lists may be sorted otherwise, and have more. */
const matching = (item: unknown, list: ReadonlyArray<unknown>, index: number): unknown => {
  const id = (item as { readonly id?: unknown } | null)?.id
  return id === undefined ? list[index] : list.find((entry) => (entry as { readonly id?: unknown }).id === id)
}

/** Who belongs to the organization signs in with what they have, and may do what they could. */
const signsEverybodyIn = async (call: Call, origin: string, { members, organizationId, projectId }: Made) => {
  if (members === undefined) return
  const ada = await Members.signInByPasskey(call, origin, members.passkey)
  assert.strictEqual(ada.status, 200, JSON.stringify(ada.body))
  assert.strictEqual(ada.body.user.email, "ada@example.org")
  const asAda = { cookie: cookieOf(ada) }
  const keys = await call("GET", "/auth/passkey/list-user-passkeys", undefined, asAda)
  assert.deepStrictEqual(
    keys.body.map(({ name }: { readonly name: string }) => name),
    ["The blue key"]
  )
  const sessions = await call("GET", "/account/sessions", undefined, asAda)
  assert.strictEqual(sessions.status, 200)

  for (const backupCode of [undefined, members.backupCode]) {
    const lin = await Members.signInLin(call, members, backupCode)
    assert.strictEqual(lin.status, 200, JSON.stringify(lin.body))
    const as = (project: string) => ({ cookie: cookieOf(lin), "kanmon-project": project })
    const organization = (await call("GET", "/organizations", undefined, as(projectId))).body.find(
      ({ id }: { readonly id: string }) => id === organizationId
    )
    assert.strictEqual(organization.role, "viewer")
    const monitor = { name: "Of Lin", type: "tcp", host: "127.0.0.1", port: 9, paused: true }
    assert.strictEqual((await call("GET", "/monitors", undefined, as(projectId))).status, 200)
    assert.strictEqual((await call("POST", "/monitors", monitor, as(projectId))).status, 403)
    assert.strictEqual((await call("POST", "/monitors", monitor, as(members.secondProject))).status, 201)
  }
  const again = await Members.signInLin(call, members, members.backupCode)
  assert.isAtLeast(again.status, 400, "a backup code signs in once")

  const asDirectory = { authorization: `Bearer ${members.scimToken}` }
  const users = await call("GET", "/scim/v2/Users", undefined, asDirectory)
  assert.deepStrictEqual(
    users.body.Resources.map(({ id, userName }: Record<string, unknown>) => ({ id, userName })),
    [{ id: members.scimUserId, userName: `ben@${Members.domain}` }]
  )
  const groups = await call("GET", "/scim/v2/Groups", undefined, asDirectory)
  assert.strictEqual(groups.body.Resources[0].members[0].value, members.scimUserId)
}

interface Day {
  readonly date: string
}

/** What was summed up for days that were over. */
const over = (days: ReadonlyArray<Day>, until: number): ReadonlyArray<Day> => {
  const today = new Date(until).toISOString().slice(0, 10)
  return days.filter(({ date }) => date.slice(0, 10) < today)
}

/** Takes two minutes. */
const isNightly = process.env["KANMON_NIGHTLY"] === "all"

describe.skipIf(DebianPostgres.skipped || !isNightly)(`a database of an earlier release${DebianPostgres.note}`, () => {
  it.live.each(["526d244", "6e67dc3f"])("is taken over with all its records (%s)", (release) =>
    Effect.gen(function* () {
      const { madeAt } = JSON.parse(unpacked(`${release}.json.gz`)) as { readonly madeAt: number }
      const now = Date.now()
      const fixture = JSON.parse(shifted(unpacked(`${release}.json.gz`), madeAt, now)) as {
        readonly made: Made
        readonly once: string
        readonly days: ReadonlyArray<Day>
        readonly madeAt: number
        readonly answers: Readonly<Record<string, unknown>>
      }
      const { answers, made } = fixture
      const outside = yield* Surroundings.make
      const postgres = yield* DebianPostgres.make
      const url = new URL(postgres.url("kanmon"))
      yield* postgres.tool("createdb", "-h", url.hostname, "-p", url.port, "-U", "kanmon", "kanmon")
      yield* DebianPostgres.restore(String(url), shifted(unpacked(`${release}.sql.gz`), madeAt, now))
      const product = yield* Product.make({
        host: "localhost",
        env: { ...Surroundings.settings, DATABASE_URL: String(url), KANMON_SECRET: secret }
      })
      yield* product.healthy
      const call = (method: string, route: string, body?: unknown, headers?: Readonly<Record<string, string>>) =>
        Effect.runPromise(product.call(method, route, body, headers))

      // Also signs in.
      const later = yield* Effect.promise(() => answersOf(call, made))
      for (const [route, before] of Object.entries(answers))
        assert.deepStrictEqual(lost(parsed(before), parsed(later[route])), [], route)

      const asKey = { "x-api-key": made.apiKey }
      yield* Effect.promise(() => signsEverybodyIn(call, product.settings["KANMON_BASE_URL"]!, made))
      const { body: days } = yield* product.call("GET", `/monitors/${made.down}/daily-uptime`, undefined, asKey)
      const before = over(fixture.days, fixture.madeAt)
      assert.isNotEmpty(before)
      for (const day of before)
        assert.deepStrictEqual(
          lost(
            day,
            days.find(({ date }: Day) => date === day.date)
          ),
          []
        )
      // Answers are kept for a day, and the fixture is at most one old.
      if (now - fixture.madeAt < 82_800_000) {
        // It is the answer of the earlier release, word for word, so the present contract says nothing about it.
        const repeated = yield* Effect.promise(() => createOnce(client(product.base), made, outside))
        assert.deepStrictEqual([repeated.status, repeated.body.id], [201, fixture.once])
      }
      if (made.furtherKey !== undefined)
        assert.strictEqual(
          (yield* product.call("GET", "/monitors", undefined, { "x-api-key": made.furtherKey })).status,
          200
        )
      if (made.invitation !== undefined)
        assert.strictEqual(
          (yield* product.call("GET", `/invitations/${made.invitation}`)).body.email,
          "grace@example.org"
        )
      assert.isBelow((yield* product.call("POST", `/heartbeat/${made.heartbeatToken}`)).status, 300)

      // The outage of before goes on: its messages are not sent twice, and its end is told.
      const stillDown = outside.asked()
      const changed = yield* product.call("PATCH", `/monitors/${made.down}`, { interval: 10 }, asKey)
      yield* Product.eventually(Effect.sync(outside.asked), (asked) => asked >= stillDown + 2)
      assert.deepStrictEqual(outside.told, [])
      assert.isBelow(changed.status, 500)
      outside.setHealthy(true)
      yield* Product.eventually(
        Effect.sync(() => outside.told.length),
        (count) => count > 0
      )
      const [message] = outside.told
      assert.include(message!.body, '"event":"monitor_up"')
      assert.strictEqual(message!.headers["authorization"], "Bearer a token of Ada")
      const history = yield* Product.eventually(product.call("GET", "/alert-history", undefined, asKey), ({ body }) =>
        JSON.stringify(body).includes('"resolved')
      )
      const alertsIn = (list: unknown) => JSON.stringify(list).split(`"monitorId":"${made.down}"`).length
      assert.strictEqual(alertsIn(history.body), alertsIn(answers["/alert-history"]))
      assert.strictEqual(outside.told.length, 1)
    }).pipe(Effect.scoped)
  )
})
