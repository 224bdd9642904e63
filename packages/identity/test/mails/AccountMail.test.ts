import { assert, describe, it } from "@effect/vitest"
import { Locale } from "@kanmon/domain/Locale"
import { roles } from "@kanmon/domain/Role"
import * as fc from "fast-check"
import { compose, type Letter, quoted } from "../../src/mails/AccountMail.ts"

const link = "https://kanmon.example/api/v1/auth/verify-email?token=ey.x&y=<1>"

/** One letter of every kind, with `name` wherever a person's text stands. */
const letters = (name: string): ReadonlyArray<Letter> => [
  { kind: "verifyAddress", link, hours: 24 },
  { kind: "resetPassword", link, hours: 1 },
  { kind: "confirmNewAddress", link, hours: 24 },
  { kind: "newAddressRequested", newAddress: name },
  { kind: "addressChanged", newAddress: name },
  { kind: "passwordChanged" },
  { kind: "passwordChanged", endedEarlierAccess: true },
  { kind: "secondFactorOn" },
  { kind: "secondFactorOff" },
  { kind: "backupCodeUsed", left: 9 },
  { kind: "passkeyAdded", name },
  { kind: "signOnConnected", name },
  { kind: "contactMethodChanged", change: "added", name, type: "SMS" },
  { kind: "accountDeleted" },
  ...roles.map((role) => ({ kind: "invitation", organization: name, invitedBy: name, role, link, days: 7 }) as const)
]

const everyMail = (name: string) =>
  Locale.literals.flatMap((locale) =>
    letters(name).map((letter) => ({
      letter,
      locale,
      message: compose(letter, { id: "msg_1", locale, baseUrl: "https://kanmon.example/api/v1" })
    }))
  )

const anyName = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
  fc.constantFrom(
    "x\r\nBcc: victim@example.org",
    "<script>alert(1)</script>",
    "Win at https://evil.example/now",
    "\u202Eada"
  )
)

/** The link up to what HTML escapes. */
const upToMark = (address: string): string => address.replace(/&lt;.*/, "")

describe("a mail about an account", () => {
  it("says in every language, as text and as a page, where it comes from and what to open", () => {
    for (const { letter, locale, message } of everyMail("Ada")) {
      assert.include(message.text, "kanmon.example", `${letter.kind} ${locale}`)
      assert.include(message.html!, `<html lang="${locale}">`)
      if (!("link" in letter)) continue
      assert.include(message.text.split("\n"), link)
      assert.include(message.html!, 'href="https://kanmon.example/api/v1/auth/verify-email?token=ey.x&amp;y=&lt;1&gt;"')
    }
  })

  it("names no address besides its link", () => {
    for (const { letter, message } of everyMail("Ada")) {
      const named = (text: string) => [...text.matchAll(/https?:\/\/[^\s"'<]+/g)].map(([address]) => address)
      const own = "link" in letter ? [link.slice(0, link.indexOf("<"))] : []
      assert.deepStrictEqual([...new Set(named(message.text))], own, letter.kind)
      assert.deepStrictEqual(
        [...new Set(named(message.html!.replaceAll("&amp;", "&")))].map(upToMark),
        own,
        letter.kind
      )
    }
  })

  it("has another subject in every language", () => {
    for (const [, mails] of Map.groupBy(everyMail("Ada"), ({ letter }) => JSON.stringify(letter)))
      assert.strictEqual(new Set(mails.map(({ message }) => message.subject)).size, Locale.literals.length)
  })

  it("keeps its subject on one line for any name", () => {
    fc.assert(
      fc.property(anyName, (name) => {
        for (const { message } of everyMail(name)) {
          assert.notMatch(message.subject, /[\p{Cc}\p{Zl}\p{Zp}]/u)
          assert.isAtMost(message.subject.length, 2 * 400)
        }
      })
    )
  })

  it("contains no markup of people's names", () => {
    const markup = (html: string) => (html.match(/<[^>]*>/g) ?? []).map((tag) => tag.replace(/href="[^"]*"/, ""))
    const plain = everyMail("Ada").map(({ message }) => markup(message.html!))
    fc.assert(
      fc.property(anyName, (name) => {
        assert.deepStrictEqual(
          everyMail(name).map(({ message }) => markup(message.html!)),
          plain
        )
      })
    )
  })

  it("makes no link of a name", () => {
    const word = fc.constantFrom("evil", "www", "example", "com", "https", "ada")
    const mark = fc.constantFrom("://", ".", "@", "/", ":")
    fc.assert(
      fc.property(fc.array(fc.tuple(word, mark), { minLength: 1, maxLength: 6 }), (parts) => {
        assert.notMatch(quoted(parts.flat().join("")), /\w[.@:]\w|:\/\//)
      })
    )
    assert.strictEqual(quoted("Shop & Sons"), "Shop & Sons")
  })
})
