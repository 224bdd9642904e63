/** The mask of secrets: what it shows of any text, with any number of secrets, is what a search for each of them one by one would show. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as SecretMask from "../src/SecretMask.ts"

/** Secrets of two letters repeat, contain and overlap each other; those of many are found by chance alone. */
const secretOf = (least: number, most: number) =>
  fc.oneof(
    fc.string({ unit: fc.constantFrom("a", "b"), minLength: least, maxLength: most }),
    fc.string({ unit: "binary", minLength: least, maxLength: most }).map((text) => text.slice(0, most)),
    fc.string({ minLength: least, maxLength: most })
  )

/** More than a hundred secrets, of all lengths. */
const many = (most: number) => fc.array(secretOf(4, most), { minLength: 101, maxLength: 160 })

/** A text of secrets, whole and in part, and of other things. */
const textOf = (secrets: ReadonlyArray<string>) =>
  fc
    .array(
      fc.oneof(
        fc.constantFrom(...secrets),
        fc.tuple(fc.constantFrom(...secrets), fc.nat(80)).map(([secret, length]) => secret.slice(0, length)),
        fc.string({ unit: fc.constantFrom("a", "b", " ", "•"), maxLength: 8 })
      ),
      { maxLength: 40 }
    )
    .map((parts) => parts.join(""))

const secretsAndText = (most: number) =>
  many(most).chain((secrets) => textOf(secrets).map((text) => [secrets, text] as const))

/** Masks each run of characters that are marked. */
const shown = (text: string, isCovered: ReadonlyArray<boolean>): string => {
  let result = ""
  for (let at = 0; at < text.length; at++)
    if (isCovered[at] !== true) result += text[at]
    else if (isCovered[at - 1] !== true) result += SecretMask.mask
  return result
}

/** Which characters belong to a secret, found by a search for each. */
const covered = (text: string, secrets: ReadonlyArray<string>): Array<boolean> => {
  const marked = Array.from(text.split(""), () => false)
  for (const secret of secrets)
    for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1))
      marked.fill(true, at, at + secret.length)
  return marked
}

describe("the mask of secrets", () => {
  it("hides every occurrence of more than a hundred secrets, and nothing else", () => {
    fc.assert(
      fc.property(secretsAndText(64), ([secrets, text]) =>
        assert.strictEqual(SecretMask.make(secrets).hide(text), shown(text, covered(text, secrets)))
      )
    )
  })

  it("hides the beginning of any of them at the end of a text that was cut", () => {
    fc.assert(
      fc.property(secretsAndText(64), ([secrets, text]) => {
        const marked = covered(text, secrets)
        for (const secret of secrets)
          for (let length = SecretMask.shortest; length < secret.length; length++)
            if (text.endsWith(secret.slice(0, length))) marked.fill(true, text.length - length)
        assert.strictEqual(SecretMask.make(secrets).hideCut(text), shown(text, marked))
      })
    )
  })

  it("shows at most three characters of a long secret, wherever it is cut", () => {
    const unit = fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz0123456789")
    const secret = fc.string({ unit, minLength: 65, maxLength: 400 })
    fc.assert(
      fc.property(fc.array(secret, { minLength: 101, maxLength: 110 }), fc.nat(), (secrets, lot) => {
        const mask = SecretMask.make(secrets)
        for (const one of secrets.slice(0, 10)) {
          assert.strictEqual(mask.hide(`"${one}"`), `"${SecretMask.mask}"`)
          const length = SecretMask.shortest + (lot % (one.length - SecretMask.shortest))
          const [before, after = ""] = mask.hideCut(`"${one.slice(0, length)}`).split(SecretMask.mask)
          assert.strictEqual(before, '"')
          assert.isBelow(after.length, SecretMask.shortest)
        }
      }),
      { numRuns: 20 }
    )
  })

  it("leaves a text without secrets as it is, also where a secret is too short to be one", () => {
    const { hide, hideCut } = SecretMask.make(["abc", "", "x"])
    for (const text of ["", "abc", "xx abc", "••••"]) assert.deepStrictEqual([hide(text), hideCut(text)], [text, text])
  })
})
