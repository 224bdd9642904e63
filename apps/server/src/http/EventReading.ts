/** What a reader of events asks for: from where on, and which types. */
import { topics } from "@kanmon/domain/EventCatalogue"
import type { FieldError } from "@kanmon/domain/FieldErrors"
import { Result } from "effect"

export interface EventReading {
  /** The last event that the reader has seen, or only what comes from now on. */
  readonly after: number | "now"
  readonly wants: (type: string) => boolean
}

/** Every type of event that a project is told of. */
export const eventTypes: ReadonlyArray<string> = topics
  .filter(({ overHttp }) => overHttp)
  .flatMap(({ events }) => events.map(({ type }) => type))

/** Reads the request's query and its `Last-Event-ID`, which is newer than what an address may say that is asked for again. */
export const read = (
  query: URLSearchParams,
  lastEventId: string | undefined
): Result.Result<EventReading, ReadonlyArray<FieldError>> => {
  const [place, last] = lastEventId ? ["Last-Event-ID", lastEventId] : ["lastEventId", query.get("lastEventId") ?? ""]
  const patterns = query.getAll("types").flatMap((text) => text.split(","))
  const strange = patterns.filter((pattern) => !eventTypes.some(matches(pattern)))
  const errors = strange.map((pattern) => ({ path: "types", message: unknownType(pattern) }))
  if (!/^\d*$/.test(last))
    errors.push({ path: place!, message: "Expected the id of an event, which is a whole number" })
  if (errors.length > 0) return Result.fail(errors)
  const tests = patterns.map(matches)
  return Result.succeed({
    after: last === "" ? "now" : Number(last),
    wants: (type) => tests.length === 0 || tests.some((test) => test(type))
  })
}

/** The event to go on after in a stream that has got as far as `position`. */
export const start = (after: EventReading["after"], position: number): number => {
  if (after === "now") return position
  // An id that is yet to come was given by a bus that has lost its memory since: all that it has now is news.
  return after > position ? 0 : after
}

/** `kanmon.monitor.*` is every type that begins with `kanmon.monitor.`; without a star it is that type alone. */
const matches = (pattern: string): ((type: string) => boolean) => {
  const prefix = pattern.slice(0, -1)
  return pattern.endsWith(".*") ? (type) => type.startsWith(prefix) : (type) => type === pattern
}

const unknownType = (pattern: string): string =>
  `No event is called ${JSON.stringify(pattern.slice(0, 64))}; expected names such as kanmon.monitor.down or kanmon.alert.*, with commas between`
