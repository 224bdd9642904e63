import { assert, describe, it } from "@effect/vitest"
import { hashPassword, verifyPassword } from "better-auth/crypto"
import * as Passwords from "../src/Passwords.ts"

describe("passwords", () => {
  it("are hashed like Better Auth's", async () => {
    const passwords = Passwords.make()
    assert.isTrue(await verifyPassword({ hash: await passwords.hash("correct horse"), password: "correct horse" }))
    assert.isTrue(await passwords.verify({ hash: await hashPassword("correct horse"), password: "correct horse" }))
    assert.isFalse(await passwords.verify({ hash: await hashPassword("correct horse"), password: "another" }))
  })

  it("limits the queue, and rejects further ones", async () => {
    const passwords = Passwords.make()
    const flood = Array.from({ length: 66 }, () => passwords.hash("x"))
    assert.isTrue(passwords.isFull())
    await Promise.all(flood)
    assert.isFalse(passwords.isFull())
    assert.isTrue(await passwords.verify({ hash: await flood[65]!, password: "x" }))
  })

  it("continues after one that cannot be checked", async () => {
    const passwords = Passwords.make()
    const broken = await Promise.allSettled(
      Array.from({ length: 5 }, () => passwords.verify({ hash: "no hash", password: "x" }))
    )
    assert.isTrue(broken.every(({ status }) => status === "rejected"))
    assert.isFalse(passwords.isFull())
    assert.match(await passwords.hash("x"), /^[0-9a-f]{32}:/)
  })
})
