/** Unexpected configurations, and recognisable secrets, for the check contract. */
import type { Check } from "@kanmon/core/Check"
import { Result } from "effect"

/** Unexpected values for a field, all of them JSON. */
export const oddities: ReadonlyArray<unknown> = [
  null,
  true,
  0,
  -1,
  1.5,
  Number.MAX_SAFE_INTEGER,
  "",
  " ",
  "\u0000",
  "a\r\nb: c",
  "../../etc/passwd",
  "x".repeat(100_000),
  "🏯門",
  "$(reboot)",
  [],
  [[]],
  {},
  { "": "" },
  JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}'),
  Array.from({ length: 1000 }, () => 1).reduce<unknown>((inner) => [inner], 1)
]

/** A configuration with a mark in every place that this secret field allows; undefined when the check accepts none. */
export const marked = (check: Check, field: string, mark: string): unknown => {
  const example = check.example as Record<string, unknown>
  const candidates = [
    withMark(example[field], mark),
    `https://user:${mark}@a.example/?k=${mark}`,
    { "x-mark": mark },
    mark
  ]
  // Some fields are only valid beside another one, such as a request body.
  return [example, { ...example, method: "POST" }]
    .flatMap((base) => candidates.map((candidate) => ({ ...base, [field]: candidate })))
    .find((config) => JSON.stringify(config).includes(mark) && Result.isSuccess(check.prepare(config)))
}

const withMark = (value: unknown, mark: string): unknown => {
  if (typeof value !== "string") return undefined
  if (!URL.canParse(value)) return mark
  const url = new URL(value)
  url.password = mark
  url.searchParams.set("token", mark)
  return url.href
}
