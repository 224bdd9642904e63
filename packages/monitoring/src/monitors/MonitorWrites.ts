/** Writes monitors from the bodies of requests, with what is refused as problems. */
import type { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import { Catalogue } from "@kanmon/core/PluginHost"
import type { Monitor } from "@kanmon/domain/Monitor"
import type { MonitorNotFound } from "@kanmon/domain/NotFound"
import { notFound } from "@kanmon/protocol/Problem"
import { Effect } from "effect"
import { PaymentGateway, PlanLimit, type PlanLimitReached } from "@kanmon/identity/billing"
import type { KeyTaken } from "@kanmon/platform/database/KeyTaken"
import { asProblem } from "@kanmon/platform/http/AsProblem"
import * as KeyConflict from "@kanmon/platform/http/KeyConflict"
import * as MonitorCreation from "./MonitorCreation.ts"
import { Monitors } from "./Monitors.ts"
import * as MonitorSecrets from "./MonitorSecrets.ts"
import * as MonitorVetting from "./MonitorVetting.ts"

export const make = Effect.gen(function* () {
  const monitors = yield* Monitors
  const creation = yield* MonitorCreation.fromBodies
  const vetting = yield* MonitorVetting.make
  const { checks } = yield* Catalogue
  const refusing = refusals((yield* PaymentGateway).configured)

  const update = (projectId: ProjectId, id: MonitorId, body: unknown, as: (current: Monitor) => Monitor) =>
    Effect.gen(function* () {
      const change = yield* vetting.changeOne(as(yield* monitors.get(projectId, id)), body)
      return yield* monitors.update(projectId, id, (current) => change(as(current)))
    }).pipe(refusing)

  return {
    create: (projectId: ProjectId, body: unknown) => creation.create(projectId, body).pipe(refusing),
    createMany: (projectId: ProjectId, body: unknown) => creation.createMany(projectId, body).pipe(refusing),
    update: (projectId: ProjectId, id: MonitorId, body: unknown) => update(projectId, id, body, (current) => current),
    /** An update to be rolled back, for a caller who may not read secrets: stored ones are taken to be those that are sent. */
    presume: (projectId: ProjectId, id: MonitorId, body: unknown) =>
      update(projectId, id, body, (current) => MonitorSecrets.presumed(checks, current, body)),
    remove: (projectId: ProjectId, id: MonitorId) => monitors.remove(projectId, id).pipe(refusing)
  }
})

export const refusals = (canPay: boolean) =>
  asProblem({
    MonitorNotFound: (_: MonitorNotFound) => notFound("monitor"),
    KeyTaken: (_: KeyTaken) => KeyConflict.problem("monitor"),
    PlanLimitReached: (reached: PlanLimitReached) => PlanLimit.problem(reached, canPay)
  })
