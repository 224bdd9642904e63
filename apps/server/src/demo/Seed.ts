/**
 * Creates the demo's data through the product's services: an account, its monitors and incidents, and a history evaluated
 * from generated results. Past records are created with the Clock set to their time. No probe runs meanwhile.
 */
import { randomBytes } from "node:crypto"
import { AuthRecords, AuthSettings, BetterAuthSignIn, SignIn } from "@kanmon/identity/accounts"
import { Catalogue } from "@kanmon/core/PluginHost"
import { inbox } from "@kanmon/domain/Heartbeat"
import { type MonitorId, type ProjectId, UserId } from "@kanmon/domain/Ids"
import type { Observation } from "@kanmon/domain/Observation"
import { type EpochMillis, toIso, utcDay } from "@kanmon/domain/Timestamp"
import { Alerts } from "@kanmon/monitoring/alerts"
import { Evaluation, layerEvaluation } from "@kanmon/monitoring/evaluation"
import * as IncidentBody from "@kanmon/protocol/IncidentBody"
import * as MonitorBody from "@kanmon/protocol/MonitorBody"
import { Incidents } from "@kanmon/monitoring/incidents"
import { Monitors } from "@kanmon/monitoring/monitors"
import { Projects } from "@kanmon/identity/projects"
import { StatusPages } from "@kanmon/monitoring/status-pages"
import { Retention } from "@kanmon/monitoring/retention"
import { Clock, Data, Effect, Layer, Schema } from "effect"
import { Settings } from "../Settings.ts"
import * as History from "@kanmon/demo/History"
import { monitorBody, type Component, components, type Ports } from "@kanmon/demo/Shop"
import * as SeedTeam from "./SeedTeam.ts"
import { type DemoIncident, demoIncidents } from "@kanmon/demo/DemoIncidents"

const projectName = "Demo Shop"
export const slug = "demo-shop"
const you = { name: "Demo", email: "demo@example.org" }

class SeedFailed extends Data.TaggedError("SeedFailed")<{ readonly message: string }> {}

/** Runs an effect with the Clock set to `at`. Sleeps take real time. */
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

/** A component and its monitor. */
interface MonitoredComponent {
  readonly component: Component
  readonly id: MonitorId
}

const SignedUp = Schema.Struct({ user: Schema.Struct({ id: UserId }) })

/** Signs up as people do. */
const signUp = Effect.fnUntraced(function* (
  account: { readonly name: string; readonly email: string },
  password: string
) {
  const settings = yield* AuthSettings
  const records = yield* AuthRecords
  // The demo's addresses receive no mail, so they count as verified from the beginning.
  const verified = AuthRecords.of({
    ...records,
    create: (model, row) => records.create(model, model === "user" ? { ...row, emailVerified: true } : row)
  })
  const { origin } = new URL(settings.apiUrl)
  const { handle } = yield* SignIn.pipe(
    Effect.provide(BetterAuthSignIn.layer),
    // The demo needs its accounts even if KANMON_SIGNUP is closed.
    Effect.provideService(AuthSettings, { ...settings, signUp: "open" }),
    Effect.provideService(AuthRecords, verified)
  )
  const answer = yield* handle(
    new Request(`${settings.apiUrl}/auth/sign-up/email`, {
      method: "POST",
      headers: { "content-type": "application/json", origin },
      body: JSON.stringify({ ...account, password })
    })
  )
  const body: unknown = yield* Effect.promise(() => answer.json())
  if (answer.ok) return (yield* Effect.orDie(Schema.decodeUnknownEffect(SignedUp)(body))).user.id
  return yield* new SeedFailed({
    message: `An account of the demo could not be created: sign-up answered with status ${answer.status}`
  })
})

/** Creates each monitor at the start of its history, with the interval of the generated results. */
const makeMonitors = Effect.fnUntraced(function* (projectId: ProjectId, ports: Ports, now: EpochMillis) {
  const monitors = yield* Monitors
  const { checks } = yield* Catalogue
  const { knownRegions } = yield* Settings
  const oldestFirst = components.toSorted((one, other) => other.days - one.days)
  const made = yield* Effect.forEach(oldestFirst, (component) =>
    Effect.fromResult(MonitorBody.decode(checks, knownRegions, monitorBody(component, ports))).pipe(
      Effect.flatMap((draft) => monitors.create(projectId, { ...draft, interval: History.sparseSeconds })),
      asOf(History.startOf(component, now)),
      Effect.map(({ id }): readonly [string, MonitoredComponent] => [component.key, { component, id }])
    )
  )
  const byKey = new Map(made)
  return components.map(({ key }) => byKey.get(key)!)
})

/** Generated outages open no alerts. */
const noAlerts = Layer.succeed(
  Alerts,
  Alerts.of({
    decide: () =>
      Effect.succeed({
        opened: [],
        extended: [],
        repeated: [],
        closed: [],
        untold: [],
        holds: [],
        deliveries: [],
        events: []
      })
  })
)

/** Evaluates the generated results, day by day, with the Clock at the end of each day. */
const evaluatePast = Effect.fnUntraced(function* (
  projectId: ProjectId,
  monitored: ReadonlyArray<MonitoredComponent>,
  ports: Ports,
  now: EpochMillis
) {
  const { evaluate } = yield* Evaluation
  const { region } = yield* Settings
  const observations = monitored
    .flatMap(({ id, component }) =>
      History.results(component, now).map((result) =>
        observe(projectId, id, component, region, `127.0.0.1:${ports.http}`, result)
      )
    )
    .toSorted((one, other) => one.checkedAt - other.checkedAt)
  const days = Map.groupBy(observations, ({ checkedAt }) => utcDay(checkedAt))
  yield* Effect.forEach(days.values(), (day) => evaluate(day).pipe(asOf(day.at(-1)!.checkedAt)))
})

/** In the words of the product. */
const failureOf = (target: string, { responseTime, status }: History.Result) => {
  switch (status) {
    case "up":
      return null
    case "degraded":
      return {
        code: "slow",
        message: `${target} took ${Math.round(responseTime ?? 0)} ms; more than 500 ms counts as degraded`
      }
    case "down":
      return { code: "status_mismatch", message: `${target} answered 503; expected 200-299` }
  }
}

const observe = (
  projectId: ProjectId,
  monitorId: MonitorId,
  { type }: Component,
  region: string,
  target: string,
  result: History.Result
): Observation => ({
  monitorId,
  projectId,
  region: type === "heartbeat" ? inbox : region,
  slot: Math.floor(result.at / (History.sparseSeconds * 1000)),
  scheduledAt: result.at,
  checkedAt: result.at,
  status: result.status,
  responseTime: result.responseTime,
  timing: {},
  failure: failureOf(target, result),
  facts: {}
})

/** Sets the intervals that the running demo uses. */
const setIntervals = Effect.fnUntraced(function* (
  projectId: ProjectId,
  monitored: ReadonlyArray<MonitoredComponent>,
  ports: Ports
) {
  const monitors = yield* Monitors
  const { checks } = yield* Catalogue
  const { knownRegions } = yield* Settings
  yield* Effect.forEach(monitored, ({ id, component }) =>
    monitors.update(projectId, id, () =>
      Effect.fromResult(MonitorBody.decode(checks, knownRegions, monitorBody(component, ports)))
    )
  )
})

/** Creates an incident or a maintenance window with its entries, each at its time. */
const createIncident = Effect.fnUntraced(function* (
  projectId: ProjectId,
  monitored: ReadonlyArray<MonitoredComponent>,
  { about, entries: [first, ...others], title, window }: DemoIncident
) {
  const incidents = yield* Incidents
  const { draft, message } = yield* Effect.fromResult(
    IncidentBody.decodeNew({
      title,
      status: first.status,
      message: first.message,
      monitorIds: monitored.flatMap(({ id, component }) => (about.includes(component.key) ? [id] : [])),
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

/** Creates all data of the demo; returns the content of its manifest. */
export const run = Effect.fn("Seed.run")(function* (ports: Ports) {
  const now = yield* Clock.currentTimeMillis
  const projects = yield* Projects
  const retention = yield* Retention
  const { retentionDays } = yield* Settings
  const newPassword = () => randomBytes(9).toString("base64url")
  const { email } = you
  const password = newPassword()
  const userId = yield* signUp(you, password)
  const [first] = yield* projects.ofMember(userId)
  const project = yield* projects.update(first!.id, { name: projectName })
  const monitored = yield* makeMonitors(project.id, ports, now)
  yield* retention.partitions(retentionDays)
  yield* Effect.provide(evaluatePast(project.id, monitored, ports, now), Layer.provide(layerEvaluation, noAlerts))
  yield* Effect.forEach(demoIncidents(now), (incident) => createIncident(project.id, monitored, incident))
  // As on a server that has watched all the time.
  yield* Effect.repeat(retention.rollups, { until: ({ hours }) => hours === 0 })
  yield* setIntervals(project.id, monitored, ports)
  const pages = yield* StatusPages
  yield* pages.create(project.id, {
    name: projectName,
    slug,
    monitors: monitored.map(({ id, component }) => ({ monitorId: id, displayGroup: component.group })),
    customDomain: null
  })
  const policy = yield* SeedTeam.run(project.organizationId, { userId, email }, ports.http, (colleague) =>
    signUp(colleague, newPassword())
  )
  return { madeAt: now, projectId: project.id, policyId: policy.id, email, password, ports }
})
