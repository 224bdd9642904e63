/** Display names of a type and its fields, as a form shows them. */
import { assert } from "@effect/vitest"

interface Property {
  readonly title?: unknown
  readonly anyOf?: ReadonlyArray<Property>
  readonly allOf?: ReadonlyArray<Property>
}

/** One line that fits beside a box. */
const short = /^[^\p{Cc}\p{Z}][^\p{Cc}]{0,59}$/u

const titlesIn = ({ allOf = [], anyOf = [], title }: Property): ReadonlyArray<unknown> => [
  ...(title === undefined ? [] : [title]),
  ...[...allOf, ...anyOf].flatMap(titlesIn)
]

/** Holds the title of a type, and those of its fields: each short, and no two the same. */
export const hold = (title: string, properties: Readonly<Record<string, Property>>): void => {
  assert.match(title, short, "the title of the type")
  const titles = Object.entries(properties).flatMap(([name, property]) => {
    const [own] = titlesIn(property)
    if (own === undefined) return []
    assert.match(String(own), short, `the title of ${name}`)
    return [own]
  })
  assert.strictEqual(new Set(titles).size, titles.length, `two fields have one title: ${titles.join(", ")}`)
}
