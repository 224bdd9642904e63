/** Configurations that nobody expects, and secrets that can be recognized, for the contract of checks. */
import type { Check } from "@kanmon/core/Check"
import { Result } from "effect"

/** Values that nobody expects in a field, each of them JSON. */
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

/** A configuration with a mark wherever this secret field may hold one; undefined when the check takes none. */
export const marked = (check: Check, field: string, mark: string): unknown => {
  const example = check.example as Record<string, unknown>
  const candidates = [
    withMark(example[field], mark),
    `https://user:${mark}@a.example/?k=${mark}`,
    { "x-mark": mark },
    mark
  ]
  // A field may only make sense beside another one: a request body in a request that has one.
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
