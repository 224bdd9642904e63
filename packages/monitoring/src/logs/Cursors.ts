/** Cursors of lists that are sorted by time. */
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Problem } from "@kanmon/protocol/Problem"
import { Effect } from "effect"
import type { Place } from "./CheckLogRepository.ts"

const write = (text: string): string => Buffer.from(text).toString("base64url")
const read = (cursor: string): string => Buffer.from(cursor, "base64url").toString("utf8")

export const ofPlace = ({ region, scheduledAt }: Place): string => write(`${scheduledAt}:${region}`)
export const ofInstant = (at: EpochMillis): string => write(String(at))

/** The place of a cursor; undefined without one. Fails for a text that is no cursor of this list. */
export const place = (cursor: string | undefined): Effect.Effect<Place | undefined, Problem<"malformed_request">> => {
  if (cursor === undefined) return Effect.succeed(undefined)
  const [, at, region] = /^(\d{1,15}):([a-z-]{1,64})$/.exec(read(cursor)) ?? []
  return at === undefined || region === undefined
    ? Effect.fail(unknown)
    : Effect.succeed({ scheduledAt: Number(at), region })
}

/** The instant of a cursor; undefined without one. Fails for a text that is no cursor of this list. */
export const instant = (
  cursor: string | undefined
): Effect.Effect<EpochMillis | undefined, Problem<"malformed_request">> => {
  if (cursor === undefined) return Effect.succeed(undefined)
  const [at] = /^\d{1,15}$/.exec(read(cursor)) ?? []
  return at === undefined ? Effect.fail(unknown) : Effect.succeed(Number(at))
}

const message = "Expected the cursor of a Link header"
const unknown = new Problem({
  code: "malformed_request",
  detail: `cursor: ${message}`,
  errors: [{ path: "cursor", message }]
})
