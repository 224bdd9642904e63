import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { byName, fold, searchText, sortKey, targetOf } from "../src/SearchText.ts"

const text = fc.string({ unit: "grapheme" })

describe("fold", () => {
  it("ignores case, accents and compatibility variants", () => {
    for (const [written, folded] of [
      ["Zürich", "zurich"],
      ["ZÜRICH", "zurich"],
      ["Straße", "strasse"],
      ["STRAẞE", "strasse"],
      ["ﬁle №１", "file no1"],
      ["Москва", "москва"],
      ["ΟΔΟΣ", "οδοσ"],
      ["İstanbul", "istanbul"],
      ["東京", "東京"]
    ] as const)
      assert.strictEqual(fold(written), folded)
  })

  it("changes nothing that is folded", () =>
    fc.assert(fc.property(text, (any) => assert.strictEqual(fold(fold(any)), fold(any)))))

  it("treats upper and lower case, composed and decomposed text alike", () =>
    fc.assert(
      fc.property(text, (any) => {
        assert.strictEqual(fold(any.normalize("NFD")), fold(any))
        assert.strictEqual(fold(any.normalize("NFC")), fold(any))
        assert.strictEqual(fold(any.toLowerCase()), fold(any))
      })
    ))

  it("treats every letter of Unicode like its lower case, and changes nothing that is folded", () => {
    for (let code = 0; code <= 0x10_ff_ff; code++) {
      const character = String.fromCodePoint(code)
      if (!/[\p{L}\p{N}\p{S}]/u.test(character) || /\p{Script=Han}|\p{Script=Hangul}/u.test(character)) continue
      const folded = fold(character)
      if (fold(folded) !== folded || fold(character.toLowerCase()) !== folded)
        assert.fail(`U+${code.toString(16)}: ${character} folds to ${folded}`)
    }
  })

  it("finds a part of a text in the whole", () =>
    fc.assert(
      fc.property(text, text, text, (before, part, after) =>
        assert.include(fold(`${before} ${part} ${after}`), fold(part))
      )
    ))
})

describe("sortKey", () => {
  const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other))
  const part = fc.oneof(fc.nat(2_000).map(String), fc.constantFrom("0", "00", "a", "b", "node", "Z", "zürich", "é"))
  /** Characters that become many when they are folded, or that take much room. */
  const wide = fc.constantFrom("ﷺ", "㏠", "𝟘", "é", "7", "\u{1F600}", "\u{1D160}")
  const name = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join("-"))

  it("sorts numbers by their value", () => {
    const names = ["node-10", "Node-2", "node-1b", "node-01", "node", "node-2a", "a9999999999", "a10000000000", "ä9"]
    assert.deepStrictEqual(
      names.toSorted((one, other) => compare(sortKey(one), sortKey(other))),
      ["ä9", "a9999999999", "a10000000000", "node", "node-01", "node-1b", "Node-2", "node-2a", "node-10"]
    )
  })

  it("sorts as people's locale does", () => {
    const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" })
    fc.assert(
      fc.property(name, name, (one, other) =>
        assert.strictEqual(compare(sortKey(one), sortKey(other)), Math.sign(collator.compare(one, other)))
      )
    )
  })

  it("sorts things by their names, then by their ids", () => {
    const thing = fc.record({ id: fc.string({ minLength: 1, maxLength: 3 }), name })
    fc.assert(
      fc.property(fc.uniqueArray(thing, { selector: ({ id }) => id }), (things) => {
        const sorted = byName(things)
        assert.sameMembers([...sorted], things)
        for (const [index, { id, name }] of sorted.slice(1).entries()) {
          const before = sorted[index]!
          const order = compare(sortKey(before.name), sortKey(name))
          assert.isTrue(order < 0 || (order === 0 && before.id < id))
        }
        assert.deepStrictEqual(byName(things.toReversed()), sorted)
      })
    )
  })

  it("is short enough for an index, and never ends with half a character", () => {
    fc.assert(
      fc.property(fc.array(wide, { minLength: 100, maxLength: 200 }), (any) => {
        const key = sortKey(any.join(""))
        assert.isTrue(key.isWellFormed())
        assert.isAtMost(new TextEncoder().encode(key).length, 2_000)
      })
    )
  })
})

describe("searchText", () => {
  it("has the name, the target and the tags on lines of their own", () =>
    assert.strictEqual(
      searchText({ name: "Café", target: "https://shop.example", tags: ["prod", "eu"] }),
      "cafe\nhttps://shop.example\nprod\neu"
    ))
})

describe("targetOf", () => {
  it("has no credentials and no query", () => {
    const secret = fc.stringMatching(/^[a-z0-9]{8,20}$/)
    fc.assert(
      fc.property(secret, secret, (password, token) => {
        const target = targetOf({ url: `https://ada:${password}@shop.example:8443/health?token=${token}`, body: token })
        assert.strictEqual(target, "https://shop.example:8443/health")
      })
    )
  })

  it("is the host of types without a URL", () =>
    assert.strictEqual(targetOf({ host: "db.example", port: 5432 }), "db.example"))
})
