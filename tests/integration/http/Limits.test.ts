/** Rate limits, idempotency and pagination. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type ApiResponse, call, layer as server, password, person, refused, shop } from "./Server.ts"
import { shared } from "./SharedServer.ts"

const live = { excludeTestServices: true } as const
const statuses = (answers: ReadonlyArray<ApiResponse>) => answers.map(({ status }) => status)
const remaining = (answer: ApiResponse) => Number(/r=(\d+)/.exec(answer.headers.get("ratelimit") ?? "")?.[1])

layer(server({ limits: { reads: 5, writes: 3, signIns: 2 }, trustedProxy: true }), live)("limits", (it) => {
  const signIn = (email: string, from: string) =>
    call("POST", "/auth/sign-in/email", { email, password: "not this one" }, { "x-forwarded-for": `6.6.6.6, ${from}` })

  it.effect("counts reads and writes of each key and session separately", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const reads = yield* Effect.replicateEffect(ada.withKey("GET", "/monitors"), 7)
      assert.deepStrictEqual(statuses(reads), [200, 200, 200, 200, 200, 429, 429])
      assert.deepStrictEqual(reads.slice(0, 5).map(remaining), [4, 3, 2, 1, 0])
      const over = reads[6]!
      refused(over, 429, "rate_limited")
      assert.strictEqual(over.headers.get("ratelimit-policy"), '"reads";q=5;w=60')
      const wait = Number(over.headers.get("retry-after"))
      assert.isTrue(wait >= 1 && wait <= 60)
      assert.strictEqual(over.headers.get("ratelimit"), `"reads";r=0;t=${wait}`)
      const writes = yield* Effect.replicateEffect(ada.withKey("POST", "/monitors", shop), 4)
      assert.deepStrictEqual(statuses(writes), [201, 201, 201, 429])
      assert.strictEqual((yield* ada.withSession("GET", "/projects")).status, 200)
    })
  )

  it.effect("counts refused requests, and ignores unknown keys", () =>
    Effect.gen(function* () {
      const ada = yield* person
      assert.strictEqual(remaining(yield* ada.withKey("GET", "/monitors/mon_nobody")), 4)
      const strangers = yield* Effect.replicateEffect(call("GET", "/monitors", undefined, { "x-api-key": "km_x" }), 8)
      for (const answer of strangers) refused(answer, 401, "unauthorized")
    })
  )

  it.effect("counts sign-ins by network address and normalised e-mail", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        statuses(yield* Effect.replicateEffect(signIn("v@example.org", "1.1.1.1"), 3)),
        [401, 401, 429]
      )
      refused(yield* signIn("V@EXAMPLE.org", "1.1.1.1"), 429, "rate_limited")
      for (const body of [
        `{"email":"other@example.org","email":"v@example.org","password":"not this one"}`,
        `{"\\u0065mail":"v@example.org","password":"not this one"}`,
        `{"email":"\\u0076@example.org","password":"not this one"}`
      ]) {
        const answer = yield* call("POST", "/auth/sign-in/email", body, { "x-forwarded-for": "1.1.1.1" })
        refused(answer, 429, "rate_limited")
      }
      assert.strictEqual((yield* signIn("v@example.org", "2.2.2.2")).status, 401)
      assert.strictEqual((yield* signIn("w@example.org", "1.1.1.1")).status, 401)
    })
  )

  it.effect("counts an IPv6 network as one address", () =>
    Effect.gen(function* () {
      yield* signIn("v6@example.org", "2001:db8:1:2::1")
      yield* signIn("v6@example.org", "2001:db8:1:2:ffff::")
      refused(yield* signIn("v6@example.org", "2001:db8:1:2:3:4:5:6"), 429, "rate_limited")
      assert.strictEqual((yield* signIn("v6@example.org", "2001:db8:1:3::1")).status, 401)
    })
  )

  it.effect("stops one address that tries many accounts", () =>
    Effect.gen(function* () {
      const tries = yield* Effect.forEach(
        Array.from({ length: 22 }, (_, index) => `t${index}@example.org`),
        (email) => signIn(email, "3.3.3.3")
      )
      assert.deepStrictEqual(statuses(tries).slice(19), [401, 429, 429])
      refused(tries[21]!, 429, "rate_limited")
    })
  )
})

layer(server({ limits: { signIns: 2 } }), live)("without a trusted proxy", (it) => {
  it.effect("uses the socket's address, not the header's, and stores it with the session", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const attempt = (ip: string) =>
        call(
          "POST",
          "/auth/sign-in/email",
          { email: ada.email, password },
          { "x-forwarded-for": ip, "x-kanmon-client-ip": ip }
        )
      assert.deepStrictEqual(statuses(yield* Effect.forEach(["9.9.9.1", "9.9.9.2"], attempt)), [200, 429])
      const rows = yield* (yield* SqlClient.SqlClient)`SELECT DISTINCT ip_address FROM sessions`
      assert.deepStrictEqual(rows, [{ ip_address: "127.0.0.1" }])
    })
  )
})

layer(server({ limits: { reads: 2, writes: 4 } }), live)("an account with many keys", (it) => {
  it.effect("has one budget for all of them and its sessions", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const keys = [ada.key]
      for (let index = 0; index < 4; index++)
        keys.push((yield* ada.withSession("POST", "/projects", { name: `P${index}` })).body.apiKey)
      const read = (key: string) => call("GET", "/monitors", undefined, { "x-api-key": key })
      // One read is the session's own, which learned its projects.
      const answers = yield* Effect.forEach(
        keys.flatMap((key) => [key, key]),
        read
      )
      assert.deepStrictEqual(statuses(answers), [...Array(9).fill(200), 429])
      refused(answers[9]!, 429, "rate_limited")
      assert.include(answers[9]!.body.detail, "all keys and sessions of the account")
      assert.strictEqual(answers[9]!.headers.get("ratelimit-policy"), '"readsOfAccount";q=10;w=60')
      assert.isAtLeast(Number(answers[9]!.headers.get("retry-after")), 1)
      assert.match(answers[8]!.headers.get("ratelimit")!, /^"readsOfAccount";r=0;/)
      const ben = yield* person
      assert.strictEqual((yield* read(ben.key)).status, 200)
    })
  )
})

layer(server({ limits: { reads: 12, writes: 20 } }), live)("long answers", (it) => {
  const text = "x".repeat(60_000)
  const withText = { ...shop, method: "POST", body: text }

  it.effect("cost more of the budget than short ones, and are still answered", () =>
    Effect.gen(function* () {
      const ada = yield* person
      for (let index = 0; index < 12; index++)
        assert.strictEqual((yield* ada.withKey("POST", "/monitors", withText)).status, 201)
      const short = yield* ada.withKey("GET", "/monitors?limit=1")
      assert.strictEqual(remaining(short), 11)
      // 720 kB are five requests more.
      const long = yield* ada.withKey("GET", "/monitors")
      assert.strictEqual(remaining(long), 5)
      const last = yield* ada.withKey("GET", "/monitors")
      assert.strictEqual(last.body.length, 12)
      assert.strictEqual(remaining(last), 0)
      refused(yield* ada.withKey("GET", "/monitors?limit=1"), 429, "rate_limited")
    })
  )
})

layer(shared, live)("a tenant that reads much", (it) => {
  it.effect("makes no other tenant wait for all of its answers", () =>
    Effect.gen(function* () {
      const [greedy, other] = [yield* person, yield* person]
      const text = "é".repeat(30_000)
      for (let index = 0; index < 20; index++)
        assert.strictEqual(
          (yield* greedy.withKey("POST", "/monitors", { ...shop, method: "POST", body: text })).status,
          201
        )
      const order: Array<string> = []
      const read = (who: typeof other, name: string) =>
        Effect.map(who.withKey("GET", "/monitors"), ({ status }) => {
          order.push(name)
          return status
        })
      const answers = yield* Effect.all(
        [...Array.from({ length: 16 }, () => read(greedy, "long")), read(other, "short")],
        {
          concurrency: "unbounded"
        }
      )
      assert.deepStrictEqual(new Set(answers), new Set([200]))
      assert.isBelow(order.indexOf("short"), 8)
    })
  )
})

layer(server({ limits: { signals: 3 } }), live)("a flood of signals", (it) => {
  it.effect("is refused above the limits for a monitor and for unknown tokens", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const job = () => ada.withKey("POST", "/monitors", { name: "Job", type: "heartbeat", interval: 60 })
      const [one, other, late] = yield* Effect.all([job(), job(), job()])
      const tokenOf = (answer: ApiResponse) => (answer.body.heartbeatUrl as string).slice(-43)
      const send = (token: string, index: number) => call("POST", `/heartbeat/${token}`, { message: `${index}` })
      const answers = yield* Effect.forEach([0, 1, 2, 3, 4], (index) => send(tokenOf(one), index))
      assert.deepStrictEqual(statuses(answers), [200, 200, 200, 429, 429])
      refused(answers[3]!, 429, "rate_limited")
      assert.isAtLeast(Number(answers[3]!.headers.get("retry-after")), 1)
      assert.strictEqual(answers[3]!.headers.get("access-control-allow-origin"), "*")
      assert.strictEqual((yield* send(tokenOf(other), 0)).status, 200)
      const guesses = yield* Effect.forEach([1, 2, 3, 4], (index) => send(`${index}`.repeat(43), index))
      assert.deepStrictEqual(statuses(guesses), [404, 404, 404, 429])
      assert.strictEqual((yield* send(tokenOf(other), 1)).status, 200)
      assert.strictEqual((yield* send(tokenOf(late), 1)).status, 429)
      const sql = yield* SqlClient.SqlClient
      const stored =
        yield* sql`SELECT message FROM heartbeat_signals WHERE monitor_id = ${one.body.id} ORDER BY message`
      assert.deepStrictEqual(stored, [{ message: "0" }, { message: "1" }, { message: "2" }])
    })
  )
})

layer(shared, live)("a repeated request", (it) => {
  it.effect("returns the first response for the same Idempotency-Key, and has one effect", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const headers = { "idempotency-key": "order-1" }
      const all = yield* Effect.all(
        Array.from({ length: 8 }, () => ada.withKey("POST", "/monitors", shop, headers)),
        { concurrency: 8 }
      )
      for (const { status } of all) assert.include([201, 409], status)
      const again = yield* ada.withKey("POST", "/monitors", shop, headers)
      assert.deepStrictEqual([again.status, again.headers.get("idempotency-replayed")], [201, "true"])
      assert.deepStrictEqual((yield* ada.withKey("GET", "/monitors")).body, [again.body])
      refused(yield* ada.withKey("POST", "/monitors", { ...shop, name: "Other" }, headers), 422, "validation_failed")
      const stranger = yield* (yield* person).withKey("POST", "/monitors", shop, headers)
      assert.notStrictEqual(stranger.body.id, again.body.id)
    })
  )

  it.effect("may correct a refused request under the same key", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const headers = { "idempotency-key": "order-2" }
      refused(yield* ada.withKey("POST", "/monitors", { ...shop, url: 5 }, headers), 422, "validation_failed", "url")
      refused(
        yield* ada.withKey("POST", "/monitors", "x", { ...headers, "content-type": "text/plain" }),
        415,
        "unsupported_media_type"
      )
      assert.strictEqual((yield* ada.withKey("POST", "/monitors", shop, headers)).status, 201)
    })
  )

  it.effect("supports projects and their keys, and refuses an invalid idempotency key", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const headers = { "idempotency-key": "order-3" }
      const [first, second] = yield* Effect.replicateEffect(
        ada.withSession("POST", "/projects", { name: "Once" }, headers),
        2
      )
      assert.deepStrictEqual(first!.body, second!.body)
      refused(
        yield* ada.withSession("POST", "/projects", { name: "x" }, { "idempotency-key": "a b" }),
        400,
        "malformed_request"
      )
      refused(
        yield* ada.withSession("POST", "/projects", { name: "x" }, { "idempotency-key": "x".repeat(256) }),
        400,
        "malformed_request"
      )
    })
  )
})

layer(shared, live)("pages", (it) => {
  const walk = (get: (route: string) => Effect.Effect<ApiResponse>, start: string) =>
    Effect.gen(function* () {
      const names: Array<string> = []
      for (let next: string | undefined = start; next !== undefined;) {
        const page: ApiResponse = yield* get(next)
        assert.strictEqual(page.status, 200, JSON.stringify(page.body))
        names.push(...page.body.map(({ name }: { readonly name: string }) => name))
        next = /^<http:\/\/kanmon\.example\/api\/v1([^>]+)>; rel="next"$/.exec(page.headers.get("link") ?? "")?.[1]
      }
      return names
    })

  it.effect("lists every monitor once, newest first, with the filter", () =>
    Effect.gen(function* () {
      const ada = yield* person
      for (const name of ["qa1", "qa2", "b1", "qa3", "qa4"]) yield* ada.withKey("POST", "/monitors", { ...shop, name })
      // The search reads targets too, and theirs are the same.
      const get = (route: string) => ada.withKey("GET", route)
      assert.deepStrictEqual(yield* walk(get, "/monitors?limit=2"), ["qa4", "qa3", "b1", "qa2", "qa1"])
      assert.deepStrictEqual(yield* walk(get, "/monitors?limit=3&q=QA&type=http&status=pending"), [
        "qa4",
        "qa3",
        "qa2",
        "qa1"
      ])
      assert.deepStrictEqual(yield* walk(get, "/monitors?q=%25"), [])
      assert.deepStrictEqual(yield* walk(get, "/monitors?type=tcp"), [])
    })
  )

  it.effect("lists every project once", () =>
    Effect.gen(function* () {
      const ada = yield* person
      for (const name of ["p1", "p2"]) yield* ada.withSession("POST", "/projects", { name })
      const names = yield* walk((route) => ada.withSession("GET", route), "/projects?limit=1")
      assert.deepStrictEqual(names, ["p2", "p1", "Default"])
    })
  )

  it.effect.each([
    "limit=0",
    "limit=1.5",
    "limit=1001",
    "limit=",
    "limit=1&limit=2",
    "cursor=junk",
    "cursor=",
    "q=%00",
    "type=%00",
    "status=sideways"
  ])("refuses ?%s", (query) =>
    Effect.gen(function* () {
      const ada = yield* person
      refused(yield* ada.withKey("GET", `/monitors?${query}`), 400, "malformed_request", query.split("=")[0]!)
    })
  )
})

layer(server({ limits: { signIns: 1 } }), live)("a network that presents unknown credentials", (it) => {
  it.effect("goes on to be served with valid ones, with old and with new", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const guess = (index: number) => ({ "x-api-key": `km_${String(index).padStart(43, "0")}` })
      const guesses = Effect.forEach(
        Array.from({ length: 60 }, (_, index) => index),
        (index) => call("GET", "/monitors", undefined, guess(index)),
        { concurrency: 20 }
      )
      const [wrong, right] = yield* Effect.all([guesses, Effect.replicateEffect(ada.withKey("GET", "/monitors"), 20)], {
        concurrency: 2
      })
      assert.deepStrictEqual([...new Set(statuses(wrong))], [401])
      assert.deepStrictEqual([...new Set(statuses(right))], [200])
      const { body } = yield* ada.withSession("POST", `/projects/${ada.projectId}/api-key`)
      const fresh = yield* call("GET", "/monitors", undefined, { "x-api-key": body.apiKey })
      assert.strictEqual(fresh.status, 200, JSON.stringify(fresh.body))
    })
  )
})
