import { assert, describe, it } from "@effect/vitest"
import { hashPassword } from "better-auth/crypto"
import { Effect } from "effect"
import * as PasswordHash from "../../../src/accounts/better-auth/PasswordHash.ts"
import * as Passwords from "../../../src/accounts/better-auth/Passwords.ts"

/** The hash cost of a server. */
const cost = Effect.runSync(PasswordHash.NewHashCost)

describe("passwords", () => {
  it("are hashed with Argon2id as OWASP names it first, each with another salt", async () => {
    const [one, other] = [
      await PasswordHash.make("correct horse", cost),
      await PasswordHash.make("correct horse", cost)
    ]
    assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    assert.notStrictEqual(one, other)
    assert.isTrue(await PasswordHash.verify(one, "correct horse"))
    assert.isFalse(await PasswordHash.verify(one, "correct horsf"))
    assert.isFalse(PasswordHash.isOutdated(one, cost))
    // The same letter, written in two ways.
    assert.isTrue(await PasswordHash.verify(await PasswordHash.make("caf\u00E9 au lait", cost), "cafe\u0301 au lait"))
  })

  it("verify against the hash of another program", async () => {
    // Made with argon2id of @noble/hashes 2.4.
    const foreign = "$argon2id$v=19$m=8192,t=3,p=4$YSBzYWx0IG9mIHNpeHRlZQ$nsU+dfd++gP5yQDr5W9Gh1sgskCTwCMJRtJH26zGV3o"
    assert.isTrue(await PasswordHash.verify(foreign, "correct horse"))
    assert.isFalse(await PasswordHash.verify(foreign, "another"))
    assert.isTrue(PasswordHash.isOutdated(foreign, cost))
  })

  it("keep hashes of earlier releases valid, and know that they are outdated", async () => {
    const passwords = Passwords.make(cost, () => true)
    const old = await hashPassword("correct horse")
    assert.isTrue(PasswordHash.isOutdated(old, cost))
    assert.isTrue(await passwords.verify({ hash: old, password: "correct horse" }))
    assert.isFalse(await passwords.verify({ hash: old, password: "another" }))
    assert.isFalse(await passwords.verify({ hash: await passwords.hash("correct horse"), password: "another" }))
  })

  it.each([
    "$argon2id$v=19$m=99999999,t=2,p=1$",
    "$argon2id$v=19$m=19456,t=9999,p=1$",
    "$argon2id$v=19$m=19456,t=0,p=1$",
    "$argon2id$v=19$m=7,t=2,p=1$",
    "$argon2i$v=19$m=19456,t=2,p=1$",
    "$argon2id$v=16$m=19456,t=2,p=1$"
  ])("refuse the hash %s…, which would take all memory or is none", async (begin) => {
    const hash = `${begin}${"A".repeat(22)}$${"A".repeat(43)}`
    const [outcome] = await Promise.allSettled([PasswordHash.verify(hash, "x")])
    assert.strictEqual(outcome.status, "rejected")
  })

  it("limits the queue, and rejects further ones", async () => {
    const passwords = Passwords.make(cost)
    const flood = Array.from({ length: 66 }, () => passwords.hash("x"))
    assert.isTrue(passwords.isFull())
    await Promise.all(flood)
    assert.isFalse(passwords.isFull())
    assert.isTrue(await passwords.verify({ hash: await flood[65]!, password: "x" }))
  })

  it("continues after one that cannot be checked", async () => {
    const passwords = Passwords.make(cost)
    const broken = await Promise.allSettled(
      Array.from({ length: 5 }, () => passwords.verify({ hash: "no hash", password: "x" }))
    )
    assert.isTrue(broken.every(({ status }) => status === "rejected"))
    assert.isFalse(passwords.isFull())
    assert.match(await passwords.hash("x"), /^\$argon2id\$/)
  })
})
