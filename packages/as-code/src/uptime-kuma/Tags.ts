/** Converts tags: `Team` with the value `Payments EU` becomes `team:payments-eu`. */
import { type Loose, nameOf, objects, text } from "./Backup.ts"
import { type Note, noteOf } from "./Draft.ts"

const maxLength = 64
export const maxTags = 20

/** A tag in our form; empty if nothing of it is left. */
const tagOf = (name: string, value: string): string => joined(slug(name), slug(value)).slice(0, maxLength)

const joined = (label: string, detail: string): string =>
  detail === "" ? label : label === "" ? detail : `${label}:${detail}`

/** A word with nothing changed but capital letters and spaces, which are no loss. */
const plain = (words: string): string => words.toLowerCase().replaceAll(/\s+/g, "-")

/** What a tag lost on the way to its form here. */
const losses = ({ name, value }: Theirs): ReadonlyArray<string> => {
  const whole = joined(slug(name), slug(value))
  const ours = tagOf(name, value)
  if (whole.length > maxLength) return [`it is cut to ${maxLength} characters: ${ours}`]
  return whole === joined(plain(name), plain(value))
    ? []
    : [`it is ${ours} now: a tag here has lower-case letters, digits and : . _ -`]
}

const slug = (words: string): string =>
  words
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9:._]+/g, "-")
    .replaceAll(/^[^a-z0-9]+|(?<![^a-z0-9])[^a-z0-9]+$/g, "")

interface Theirs {
  readonly name: string
  readonly value: string
}

const theirs = (monitor: Loose): ReadonlyArray<Theirs> =>
  objects(monitor["tags"]).map((tag) => ({ name: text(tag, "name"), value: text(tag, "value") }))

/** How many tags have a colour. */
export const coloured = (monitors: ReadonlyArray<Loose>): number =>
  new Set(
    monitors
      .flatMap((monitor) => objects(monitor["tags"]))
      .filter((tag) => text(tag, "color") !== "")
      .map((tag) => text(tag, "name"))
  ).size

const written = ({ name, value }: Theirs): string => (value === "" ? name : `${name}: ${value}`)

/** The tags of a monitor, without repetitions. */
export const of = (monitor: Loose): ReadonlyArray<string> => [
  ...new Set(
    theirs(monitor)
      .map(({ name, value }) => tagOf(name, value))
      .filter((tag) => tag !== "")
  )
]

/** Losses of the tags of all monitors. */
export const notes = (monitors: ReadonlyArray<Loose>): ReadonlyArray<Note> => {
  const count = (monitor: Loose): number => of(monitor).length
  const sources = new Map<string, Map<string, Theirs>>()
  for (const tag of monitors.flatMap(theirs)) {
    const ours = tagOf(tag.name, tag.value)
    sources.set(ours, (sources.get(ours) ?? new Map<string, Theirs>()).set(written(tag), tag))
  }
  return [
    ...[...sources].flatMap(([ours, names]): ReadonlyArray<Note> => {
      if (ours === "")
        return [...names.keys()].map((name) =>
          noteOf(`tag ${name}`, true, ["nothing of it fits into a tag here: lower-case letters, digits and : . _ -"])
        )
      if (names.size > 1)
        return [noteOf(`tag ${ours}`, false, [`these are one tag now: ${[...names.keys()].join(", ")}`])]
      return [...names].flatMap(([name, tag]) => {
        const lost = losses(tag)
        return lost.length === 0 ? [] : [noteOf(`tag ${name}`, false, lost)]
      })
    }),
    ...monitors
      .filter((monitor) => count(monitor) > maxTags)
      .map((monitor) =>
        noteOf(`monitor ${nameOf(monitor)}`, false, [
          `it has ${count(monitor)} tags; only the first ${maxTags} are carried over`
        ])
      )
  ]
}
