/** Parses the parameters of the event stream: the position and the types. */
import type { FieldError } from "@kanmon/domain/FieldErrors"
import { eventTypes } from "@kanmon/protocol/EventsApi"
import { Result } from "effect"

export interface EventReading {
  /** The last event the client has seen, or `now`. */
  readonly after: number | "now"
  readonly wants: (type: string) => boolean
}

/** `Last-Event-ID` overrides the query, because clients reconnect with the original URL. */
export const read = (
  query: URLSearchParams,
  lastEventId: string | undefined
): Result.Result<EventReading, ReadonlyArray<FieldError>> => {
  const [place, last] = lastEventId ? ["Last-Event-ID", lastEventId] : ["lastEventId", query.get("lastEventId") ?? ""]
  const patterns = query.getAll("types").flatMap((text) => text.split(","))
  const strange = patterns.filter((pattern) => !eventTypes.some(matches(pattern)))
  const errors = strange.map((pattern) => ({ path: "types", message: unknownType(pattern) }))
  if (!/^\d*$/.test(last)) errors.push({ path: place!, message: "Expected an event ID (a whole number)" })
  if (errors.length > 0) return Result.fail(errors)
  const tests = patterns.map(matches)
  return Result.succeed({
    after: last === "" ? "now" : Number(last),
    // Only on request, because clients that take everything have no use for them.
    wants: (type) => (tests.length === 0 ? !isAudit(type) : tests.some((test) => test(type)))
  })
}

/** Events of the audit log, which only those may read who may read the log. */
export const isAudit = (type: string): boolean => type.startsWith("kanmon.audit.")

/** The event to continue after, in a stream that ends at `position`. */
export const start = (after: EventReading["after"], position: number): number => {
  if (after === "now") return position
  // An ID from the future comes from a stream that was since reset, so every stored event is new.
  return after > position ? 0 : after
}

/** `kanmon.monitor.*` matches every type with the prefix `kanmon.monitor.`; without a star only the exact type matches. */
const matches = (pattern: string): ((type: string) => boolean) => {
  const prefix = pattern.slice(0, -1)
  return pattern.endsWith(".*") ? (type) => type.startsWith(prefix) : (type) => type === pattern
}

const unknownType = (pattern: string): string =>
  `Unknown event type ${JSON.stringify(pattern.slice(0, 64))}; expected a comma-separated list such as kanmon.monitor.down,kanmon.alert.*`
