/** Passwords whose hashes were made by an earlier release. */
import { eventually } from "@kanmon/testkit/Eventually"
import { randomBytes, scryptSync } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { call, layer as server, password, person, refused } from "./Server.ts"

/** As it hashed them. */
const hashPassword = (text: string): string => {
  const salt = randomBytes(16).toString("hex")
  const key = scryptSync(text, salt, 64, { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 })
  return `${salt}:${key.toString("hex")}`
}

layer(server({ costlyPasswords: true }), { excludeTestServices: true })("a password of an earlier release", (it) => {
  const old = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const ada = yield* person
    const hash = hashPassword(password)
    yield* sql`UPDATE accounts a SET password = ${hash} FROM users u WHERE u.id = a.user_id AND u.email = ${ada.email}`
    const stored = Effect.map(
      sql`SELECT a.password FROM accounts a JOIN users u ON u.id = a.user_id WHERE u.email = ${ada.email}`,
      ([row]) => String(row!["password"])
    )
    return { ...ada, hash, stored }
  })
  const signIn = (email: string, tried: string) => call("POST", "/auth/sign-in/email", { email, password: tried })

  it.effect("signs in, and is hashed anew without ending sessions", () =>
    Effect.gen(function* () {
      const { email, hash, stored, withSession } = yield* old
      refused(yield* signIn(email, "not this one"), 401, "unauthorized")
      assert.strictEqual(yield* stored, hash)
      assert.strictEqual((yield* signIn(email, password)).status, 200)
      // In the background.
      const renewed = yield* eventually(stored, (now) => now !== hash)
      assert.match(renewed, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
      assert.strictEqual((yield* signIn(email, password)).status, 200)
      refused(yield* signIn(email, "not this one"), 401, "unauthorized")
      assert.strictEqual((yield* withSession("GET", "/projects")).status, 200)
      assert.strictEqual(yield* stored, renewed, "and stays as it is")
    })
  )
})
