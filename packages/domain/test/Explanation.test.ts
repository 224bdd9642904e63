/** Reasons: each says the same in all languages, and gives back its parameters. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as fc from "fast-check"
import { bounded, Explanation } from "../src/Explanation.ts"
import { reason } from "../src/Reason.ts"
import { Locale } from "../src/Locale.ts"
import { catalogues, inWords } from "../src/Reasons.ts"
import { english } from "../src/ReasonsEnglish.ts"
import { type PlainExplanation, sentence } from "../src/ReasonText.ts"

const { de, en, ja } = catalogues
const keys = Object.keys(english.texts)
const codes = keys.filter((key) => !key.includes("."))
const textOf = (key: string, catalogue = en): string => catalogue.texts[key]!

interface Hole {
  readonly name: string
  readonly isPart: boolean
  readonly kind: string
}

const holesOf = (text: string): ReadonlyArray<Hole> =>
  [...text.matchAll(/\{(@?)(\w+)(?::(\w+))?\}/g)].map(([, part, name, kind = ""]) => ({
    name: name!,
    isPart: part === "@",
    kind
  }))

const choices = (name: string): ReadonlyArray<string> =>
  keys.filter((key) => key.startsWith(`${name}.`)).map((key) => key.slice(name.length + 1))

/** Marked texts, so that they are found again; numbers are whole, because languages write fractions differently. */
const valueOf = ({ kind, name }: Hole): fc.Arbitrary<string | number> =>
  kind === ""
    ? fc.oneof(
        fc.stringMatching(/^[\w .$/:-]{1,20}$/).map((text) => `${name}⟨${text}⟩`),
        fc.integer({ min: 10_000 })
      )
    : kind === "and"
      ? fc.constantFrom("jsonPath", "bodyMatches,jsonPath")
      : fc
          .date({ min: new Date("2020-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
          .map((at) => at.toISOString())

/** Parameters for a text and for the parts that are chosen for it. */
const parametersOf = (key: string): fc.Arbitrary<Record<string, string | number>> =>
  holesOf(textOf(key)).reduce<fc.Arbitrary<Record<string, string | number>>>(
    (rest, hole) =>
      rest.chain((known) =>
        hole.isPart
          ? fc
              .constantFrom(...choices(hole.name))
              .chain((chosen) =>
                parametersOf(`${hole.name}.${chosen}`).map((inner) => ({ ...inner, ...known, [hole.name]: chosen }))
              )
          : valueOf(hole).map((value) => ({ ...known, [hole.name]: value }))
      ),
    fc.constant({})
  )

const plain: fc.Arbitrary<PlainExplanation> = fc
  .constantFrom(...codes)
  .chain((code) => parametersOf(code).map((parameters) => ({ code, parameters })))

const explanation: fc.Arbitrary<Explanation> = fc
  .tuple(plain, fc.option(plain))
  .map(([own, because]) => (because === null ? own : { ...own, because }))

const marked = ({ because, ...own }: Explanation): ReadonlyArray<string> =>
  [own, ...(because === undefined ? [] : [because])].flatMap(({ parameters }) =>
    Object.values(parameters)
      .map(String)
      .filter((value) => /⟨|^\d+$/.test(value))
  )

describe("a reason", () => {
  it("names the same things in every language", () => {
    for (const catalogue of [de, ja])
      assert.deepStrictEqual(
        keys.filter((key) => {
          const [wanted, given] = [textOf(key), textOf(key, catalogue)].map((text) =>
            holesOf(text)
              .map(({ isPart, kind, name }) => `${isPart}${name}${kind}`)
              .sort()
              .join()
          )
          return wanted !== given
        }),
        []
      )
  })

  it("is English in English alone", () => {
    for (const catalogue of [de, ja])
      assert.deepStrictEqual(
        keys.filter((key) => {
          const text = textOf(key)
          const hasWords = /\p{L}{2}/u.test(text.replaceAll(/\{[^}]*\}/g, ""))
          return hasWords && text === textOf(key, catalogue)
        }),
        []
      )
    const words = /\b(?:the|is|was|its|this|of|and|has|does|not|more than|at most|answered|because)\b/i
    assert.deepStrictEqual(
      keys.filter((key) => words.test(textOf(key, ja).replaceAll(/\{[^}]*\}/g, ""))),
      []
    )
    const german = /\b(?:the|is|its|this|of|and|has|does|not|more|most|answered|because)\b/i
    assert.deepStrictEqual(
      keys.filter((key) => german.test(textOf(key, de).replaceAll(/\{[^}]*\}/g, ""))),
      []
    )
  })

  it("has a sentence in every language, with all that it names", () => {
    fc.assert(
      fc.property(explanation, (given) => {
        for (const locale of Locale.literals) {
          const said = sentence(catalogues[locale], given)
          assert.isDefined(said)
          assert.notMatch(said!, /[{}]/)
          for (const value of marked(given)) assert.include(said!, value)
        }
      }),
      { numRuns: 500 }
    )
  })

  it("is what it was after it was stored", () => {
    const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Explanation), { onExcessProperty: "error" })
    fc.assert(
      fc.property(explanation, (given) => {
        const read = decode(JSON.stringify(bounded(given, (text) => text)))
        for (const locale of Locale.literals)
          assert.strictEqual(sentence(catalogues[locale], read), sentence(catalogues[locale], given))
      })
    )
  })

  it("is shown as it was written where its code or a parameter is not known", () => {
    const message = "The moon is in the way"
    fc.assert(
      fc.property(fc.string(), fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.double())), (code, parameters) => {
        const said = sentence(de, { code, parameters })
        if (!codes.includes(code)) assert.isUndefined(said)
        assert.isString(inWords({ message, explanation: { code, parameters } }, "de"))
      }),
      {
        examples: [
          ["constructor", {}],
          ["said", {}],
          ["stage.dns", {}],
          ["took_too_long", { target: "a", stage: "x" }]
        ]
      }
    )
    assert.strictEqual(inWords({ message }, "de"), message)
    assert.strictEqual(inWords({ message, explanation: { code: "connection_refused", parameters: {} } }, "ja"), message)
    const later = { code: "took_too_long", parameters: { target: "a", seconds: 5, stage: "later" } }
    assert.strictEqual(inWords({ message, explanation: later }, "de"), message)
  })

  it("is short, and is none where it is anything else", () => {
    const same = (text: string) => text
    fc.assert(
      fc.property(fc.anything(), (given) => {
        const read = bounded(given, same)
        if (read !== undefined) assert.isAtMost(JSON.stringify(read).length, 2500)
      })
    )
    const long = { code: "said", parameters: { text: "x".repeat(10_000) } }
    assert.isBelow(JSON.stringify(bounded(long, same)).length, 600)
    const many = Object.fromEntries(Array.from({ length: 13 }, (_, index) => [`p${index}`, index]))
    assert.isUndefined(bounded({ code: "said", parameters: many }, same))
    const throwing = {
      get code(): string {
        throw new Error("no")
      }
    }
    assert.isUndefined(bounded(throwing, same))
  })

  it("writes numbers and instants as its reader does", () => {
    const lost = reason("packets_lost", { lost: 33.333, limit: 5 })
    assert.strictEqual(lost.message, "33.333 % of the packets were lost; expected at most 5 %")
    assert.strictEqual(inWords(lost, "de"), "33,333 % der Pakete gingen verloren; erwartet: höchstens 5 %")
    const missed = reason("signal_missed", { deadline: "2026-11-28T08:00:00.000Z", last: "none" })
    assert.strictEqual(
      missed.message,
      "No signal arrived by 2026-11-28 08:00:00 UTC. No success signal has arrived yet"
    )
    assert.include(inWords(missed, "de", { instant: () => "neun Uhr" }), "Bis neun Uhr kam kein Signal")
  })
})
