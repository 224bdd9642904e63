/** Requests to the account routes are decoded in linear time. */
import { growth } from "@kanmon/testkit/Work"
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { decode } from "../../../src/accounts/better-auth/Credentials.ts"

const fields: Readonly<Record<string, ReadonlyArray<string>>> = {
  "/auth/sign-up/email": ["email", "name", "password", "invitation"],
  "/auth/sign-in/email": ["email", "password"],
  "/auth/verify-email": ["email", "token", "password"],
  "/auth/request-password-reset": ["email"],
  "/auth/reset-password": ["token", "newPassword"],
  "/auth/change-email": ["newEmail", "password"],
  "/auth/update-user": ["name", "locale"],
  "/auth/two-factor/verify-totp": ["code"],
  "/auth/passkey/update-passkey": ["id", "name"]
}

/** The most that the limit of a body lets through. */
const largest = 1_048_576

describe("the body of a route of accounts", () => {
  it.each(Object.entries(fields).flatMap(([route, names]) => names.map((name) => [route, name] as const)))(
    "%s: %s",
    async (route, name) => {
      for (const part of ["@", "a@", ".a", " ", "\u00AD", "😀", "a-"])
        for (const end of ["", " x", "@example.org"])
          assert.isBelow(
            await growth(
              (size) => decode(route, { [name]: `${part.repeat(Math.ceil(size / part.length))}${end}` }),
              largest
            ),
            1.6,
            `${part}…${end}`
          )
    }
  )

  it("takes addresses of ASCII alone to sign in", () => {
    const isTaken = (email: string) => Result.isSuccess(decode("/auth/sign-in/email", { email, password: "x" }))
    assert.isTrue(isTaken("kate@people.example"))
    for (const email of [
      "\u212Aate@people.example",
      "kate@people.ｅxample",
      "kate@people.example\u00A0",
      "a@b@c",
      "kate"
    ])
      assert.isFalse(isTaken(email), email)
  })
})
