/** What a reader of events asks for: from where on, and which types. */
import type { FieldError } from "@kanmon/domain/FieldErrors"
import type { AlertEventName, IncidentEventName, MonitorEventName, PageEventName } from "@kanmon/domain/Subjects"
import { Result } from "effect"

export interface EventReading {
  /** The last event that the reader has seen, or only what comes from now on. */
  readonly after: number | "now"
  readonly wants: (type: string) => boolean
}

const named = <Name extends string>(noun: string, names: Record<Name, true>): ReadonlyArray<string> =>
  Object.keys(names).map((name) => `kanmon.${noun}.${name}`)

/** Every type of public event. The compiler sees to it that none is missing. */
export const eventTypes: ReadonlyArray<string> = [
  ...named<MonitorEventName>("monitor", {
    created: true,
    updated: true,
    deleted: true,
    paused: true,
    resumed: true,
    up: true,
    down: true,
    degraded: true
  }),
  ...named<AlertEventName>("alert", { triggered: true, resolved: true, delivered: true, failed: true }),
  ...named<IncidentEventName>("incident", { opened: true, updated: true, resolved: true, deleted: true }),
  ...named<PageEventName>("page", { created: true, updated: true, deleted: true })
]

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
