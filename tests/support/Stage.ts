/** A project with a monitor, rules and channels on a real PostgreSQL, and a way to evaluate check results. */
import * as PatientEvaluator from "@kanmon/testkit/PatientEvaluator"
import { Catalogue } from "@kanmon/core/PluginHost"
import { type ChannelId, type MonitorId, OrganizationId, type ProjectId } from "@kanmon/domain/Ids"
import type { Observation } from "@kanmon/domain/Observation"
import type { RegionStatus } from "@kanmon/domain/Status"
import { Alerts } from "@kanmon/monitoring/testing/alerts/Alerts.ts"
import { AlertHistory } from "@kanmon/monitoring/testing/alerts/AlertHistory.ts"
import { AlertRules, type RuleDraft } from "@kanmon/monitoring/testing/alerts/AlertRules.ts"
import { Channels } from "@kanmon/monitoring/testing/channels/Channels.ts"
import { Evaluation, layerEvaluation } from "@kanmon/monitoring/evaluation"
import { Monitors } from "@kanmon/monitoring/testing/monitors/Monitors.ts"
import { Projects } from "@kanmon/identity/testing/projects/Projects.ts"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { bundled } from "../../apps/server/src/plugins.gen.ts"
import { at } from "./SetClock.ts"
import * as TestDatabase from "./TestDatabase.ts"

export { at } from "./SetClock.ts"

export const noon = Date.UTC(2026, 10, 20, 12)
export const minute = 60_000

let organizations = 0

/** Creates a project with a monitor and channels, and functions to change it. */
export const stage = (options: {
  readonly channels: number
  /** Where the channels send to. */
  readonly url?: string
  readonly rule?: Partial<RuleDraft>
}) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const projects = yield* Projects
    const organization = OrganizationId.make(`org_alerts${++organizations}`)
    const then = new Date(noon - 60 * minute)
    yield* sql`INSERT INTO organizations (id, name, created_at, updated_at) VALUES (${organization}, 'Acme', ${then}, ${then})`
    const project = yield* projects.create(organization, "Shop")
    const channels = yield* Channels
    const made: Array<ChannelId> = []
    for (let index = 0; index < options.channels; index++) {
      const draft = {
        name: `Hook ${index}`,
        type: "webhook",
        config: { url: options.url ?? "https://example.org/hook" }
      }
      made.push((yield* channels.create(project.id, draft).pipe(at(noon - 60 * minute))).id)
    }
    const rules = yield* AlertRules
    const rule = yield* rules.create(project.id, {
      name: "Down",
      monitorIds: [],
      channelIds: [],
      triggers: ["monitor_down"],
      consecutiveFailures: 1,
      resendEvery: 0,
      ...options.rule
    })
    const monitors = yield* Monitors
    const monitor = yield* monitors
      .create(project.id, {
        name: "Web",
        type: "http",
        interval: 60,
        timeout: 30,
        regions: [],
        paused: false,
        config: { url: "https://shop.example/" }
      })
      .pipe(at(noon - 30 * minute))
    return { organization, project, rule, monitor, channels: made }
  })

export const observed = (
  monitor: { readonly id: MonitorId; readonly projectId: ProjectId },
  minutes: number,
  status: RegionStatus
): Observation => ({
  monitorId: monitor.id,
  projectId: monitor.projectId,
  region: "eu-west",
  slot: noon / minute + minutes,
  scheduledAt: noon + minutes * minute,
  checkedAt: noon + minutes * minute,
  status,
  responseTime: status === "up" ? 20 : null,
  timing: {},
  failure: status === "up" ? null : { code: "timeout", message: "too slow" },
  facts: {}
})

/** Evaluates what a monitor's checks found, one a minute from noon on. */
export const evaluate = (
  monitor: { readonly id: MonitorId; readonly projectId: ProjectId },
  from: number,
  ...statuses: ReadonlyArray<RegionStatus>
) => evaluateBatch(statuses.map((status, index) => observed(monitor, from + index, status)))

/** Evaluates observations in one batch, when the newest of them was made. */
export const evaluateBatch = (batch: ReadonlyArray<Observation>) =>
  Effect.flatMap(Evaluation, (evaluation) =>
    evaluation.evaluate(batch).pipe(at(Math.max(...batch.map(({ checkedAt }) => checkedAt))))
  )

export const history = (projectId: ProjectId) =>
  Effect.gen(function* () {
    const alertHistory = yield* AlertHistory
    const page = yield* alertHistory.list(projectId, noon - 1000 * minute, noon + 1000 * minute, {
      limit: 100,
      cursor: undefined
    })
    return page.items
  })

/** The environment of an installation whose accounts have this plan. */
export const environmentWith = (defaultPlan: string) =>
  layerEvaluation.pipe(
    Layer.provideMerge(Alerts.layer("https://kanmon.example")),
    Layer.provide(Catalogue.layer(bundled)),
    Layer.provideMerge(Layer.merge(PatientEvaluator.layer, TestDatabase.storeWith(defaultPlan)))
  )

export const environment = environmentWith("plan_enterprise")
