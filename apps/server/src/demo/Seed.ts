/**
 * Makes a demonstration through the product's own services: the account as somebody who signs up, monitors and incidents as
 * their owner, and the past by letting the judge look at made-up results. What happened earlier is made on a clock that
 * says so. Nothing watches the monitors meanwhile.
 */
import { randomBytes } from "node:crypto"
import { AuthSettings } from "@kanmon/core/AuthSettings"
import { Catalogue } from "@kanmon/core/PluginHost"
import { inbox } from "@kanmon/domain/Heartbeat"
import { type MonitorId, type ProjectId, UserId } from "@kanmon/domain/Ids"
import type { Observation } from "@kanmon/domain/Observation"
import { type EpochMillis, toIso, utcDay } from "@kanmon/domain/Timestamp"
import { decide } from "@kanmon/engine/judging/Verdict"
import * as IncidentBody from "@kanmon/protocol/IncidentBody"
import * as MonitorBody from "@kanmon/protocol/MonitorBody"
import { Incidents } from "@kanmon/store/incidents/Incidents"
import { Judging } from "@kanmon/store/history/Judging"
import { Monitors } from "@kanmon/store/monitors/Monitors"
import { Projects } from "@kanmon/store/accounts/Projects"
import { StatusPages } from "@kanmon/store/pages/StatusPages"
import { Upkeep } from "@kanmon/store/Upkeep"
import { Clock, Data, Effect, Schema } from "effect"
import { Settings } from "../Settings.ts"
import * as History from "./History.ts"
import { monitorBody, type Part, parts, type Ports } from "./Shop.ts"
import { type Telling, tellings } from "./Story.ts"

const projectName = "Demo Shop"
export const slug = "demo-shop"
const email = "demo@example.org"

class SeedFailed extends Data.TaggedError("SeedFailed")<{ readonly message: string }> {}

/** Runs an effect as if it were that time. Waiting takes as long as it always does. */
const asOf = (at: EpochMillis) => {
  const nanos = BigInt(at) * 1_000_000n
  return Effect.updateService(Clock.Clock, (clock): Clock.Clock => ({
    currentTimeMillisUnsafe: () => at,
    currentTimeMillis: Effect.succeed(at),
    currentTimeNanosUnsafe: () => nanos,
    currentTimeNanos: Effect.succeed(nanos),
    monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: clock.monotonicTimeNanos,
    sleep: (duration) => clock.sleep(duration)
  }))
}

/** A part with the monitor that watches it. */
interface Watched {
  readonly part: Part
  readonly id: MonitorId
}

const Made = Schema.Struct({ user: Schema.Struct({ id: UserId }) })

/** Signs up as a stranger would, with the plugin that keeps accounts. */
const signUp = Effect.fnUntraced(function* (password: string) {
  const { auths } = yield* Catalogue
  const settings = yield* AuthSettings
  const { origin } = new URL(settings.apiUrl)
  const route = "/auth/sign-up/email"
  for (const auth of auths) {
    // Whether strangers may sign up is not asked: the demonstration is no stranger.
    const { routes } = yield* Effect.provideService(auth.start, AuthSettings, { ...settings, signUp: "open" })
    if (routes === undefined || !route.startsWith(`${routes.path}/`)) continue
    const answer = yield* routes.handle(
      new Request(`${settings.apiUrl}${route}`, {
        method: "POST",
        headers: { "content-type": "application/json", origin },
        body: JSON.stringify({ name: "Demo", email, password })
      })
    )
    const body: unknown = yield* Effect.promise(() => answer.json())
    if (answer.ok) return (yield* Effect.orDie(Schema.decodeUnknownEffect(Made)(body))).user.id
    return yield* new SeedFailed({ message: `The demonstration's account was refused with status ${answer.status}` })
  }
  return yield* new SeedFailed({ message: "No plugin keeps accounts with passwords; the demonstration needs one" })
})

/** Makes the monitors on the day on which each began to be watched, checked once a day for as long as the past is told. */
const makeMonitors = Effect.fnUntraced(function* (projectId: ProjectId, ports: Ports, now: EpochMillis) {
  const monitors = yield* Monitors
  const { checks } = yield* Catalogue
  const { knownRegions } = yield* Settings
  const oldestFirst = parts.toSorted((one, other) => other.days - one.days)
  const made = yield* Effect.forEach(oldestFirst, (part) =>
    Effect.fromResult(MonitorBody.decode(checks, knownRegions, monitorBody(part, ports))).pipe(
      Effect.flatMap((draft) => monitors.create(projectId, { ...draft, interval: History.sparseSeconds })),
      asOf(History.beginning(part, now)),
      Effect.map(({ id }): readonly [string, Watched] => [part.key, { part, id }])
    )
  )
  const byKey = new Map(made)
  return parts.map(({ key }) => byKey.get(key)!)
})

/** Lets the judge see the past day by day, each on its own day. */
const judgePast = Effect.fnUntraced(function* (
  projectId: ProjectId,
  watched: ReadonlyArray<Watched>,
  now: EpochMillis
) {
  const judging = yield* Judging
  const { region } = yield* Settings
  const observations = watched
    .flatMap(({ id, part }) => History.results(part, now).map((result) => observe(projectId, id, part, region, result)))
    .toSorted((one, other) => one.checkedAt - other.checkedAt)
  const days = Map.groupBy(observations, ({ checkedAt }) => utcDay(checkedAt))
  yield* Effect.forEach(days.values(), (day) => judging.judge(day, decide).pipe(asOf(day.at(-1)!.checkedAt)))
})

const failures = {
  up: null,
  degraded: { code: "slow", message: "The answer took longer than the monitor allows" },
  down: { code: "status_mismatch", message: "The answer has the status 503; expected 200-299" }
} as const

const observe = (
  projectId: ProjectId,
  monitorId: MonitorId,
  { type }: Part,
  region: string,
  { at, responseTime, status }: History.Result
): Observation => ({
  monitorId,
  projectId,
  region: type === "heartbeat" ? inbox : region,
  slot: Math.floor(at / (History.sparseSeconds * 1000)),
  scheduledAt: at,
  checkedAt: at,
  status,
  responseTime,
  timing: {},
  failure: failures[status],
  facts: {}
})

/** From now on they are watched as their owner wants it. */
const watchClosely = Effect.fnUntraced(function* (projectId: ProjectId, watched: ReadonlyArray<Watched>, ports: Ports) {
  const monitors = yield* Monitors
  const { checks } = yield* Catalogue
  const { knownRegions } = yield* Settings
  yield* Effect.forEach(watched, ({ id, part }) =>
    monitors.update(projectId, id, () =>
      Effect.fromResult(MonitorBody.decode(checks, knownRegions, monitorBody(part, ports)))
    )
  )
})

/** Writes an incident or a window entry by entry, each at its time. */
const tell = Effect.fnUntraced(function* (
  projectId: ProjectId,
  watched: ReadonlyArray<Watched>,
  { about, entries: [first, ...others], title, window }: Telling
) {
  const incidents = yield* Incidents
  const { draft, message } = yield* Effect.fromResult(
    IncidentBody.decodeNew({
      title,
      status: first.status,
      message: first.message,
      monitorIds: watched.flatMap(({ id, part }) => (about.includes(part.key) ? [id] : [])),
      ...(window === undefined
        ? {}
        : {
            maintenance: true,
            scheduledStart: toIso(window.from),
            scheduledEnd: toIso(window.to),
            recurrence: window.recurrence
          })
    })
  )
  const { id } = yield* incidents.create(projectId, draft, message).pipe(asOf(first.at))
  yield* Effect.forEach(others, ({ at, message: text, status }) =>
    incidents
      .update(projectId, id, (current) => Effect.succeed({ draft: { ...current, status }, message: text }))
      .pipe(asOf(at))
  )
})

/** Makes everything, and says to whom it belongs. */
export const plant = Effect.fn("Seed.plant")(function* (ports: Ports) {
  const now = yield* Clock.currentTimeMillis
  const projects = yield* Projects
  const upkeep = yield* Upkeep
  const { retentionDays } = yield* Settings
  const password = randomBytes(9).toString("base64url")
  const userId = yield* signUp(password)
  const [first] = yield* projects.ofUser(userId)
  const project = yield* projects.rename(first!.id, projectName)
  const watched = yield* makeMonitors(project.id, ports, now)
  yield* upkeep.partitions(retentionDays)
  yield* judgePast(project.id, watched, now)
  yield* Effect.forEach(tellings(now), (telling) => tell(project.id, watched, telling))
  yield* upkeep.rollups
  yield* watchClosely(project.id, watched, ports)
  const pages = yield* StatusPages
  yield* pages.create(project.id, {
    name: projectName,
    slug,
    monitors: watched.map(({ id, part }) => ({ monitorId: id, displayGroup: part.group })),
    customDomain: null
  })
  return { madeAt: now, projectId: project.id, email, password, ports }
})
