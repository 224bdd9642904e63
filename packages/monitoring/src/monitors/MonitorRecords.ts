/** Monitors as the API shows them: with the certificates and domain registrations that were found for their URLs. */
import { isDeepStrictEqual } from "node:util"
import { dots } from "@kanmon/core/Masking"
import { Catalogue } from "@kanmon/core/PluginHost"
import { summarize } from "@kanmon/domain/Certificate"
import type { MonitorId } from "@kanmon/domain/Ids"
import type { Monitor } from "@kanmon/domain/Monitor"
import { permits, type Role } from "@kanmon/domain/Role"
import { basePath } from "@kanmon/protocol/BasePath"
import { CallerRole } from "@kanmon/protocol/Middleware"
import * as MonitorBody from "@kanmon/protocol/MonitorBody"
import { Clock, Effect } from "effect"
import { DomainRegistrations } from "../domain-registrations/index.ts"
import { History } from "../evaluation/index.ts"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import { withoutSecrets } from "./MonitorAudit.ts"
import * as MonitorSecrets from "./MonitorSecrets.ts"
import { Monitors } from "./Monitors.ts"
import * as MonitorWarnings from "./MonitorWarnings.ts"
import { TargetWarnings } from "./TargetWarnings.ts"

/** Request headers and bodies, heartbeat addresses and passwords in URLs are shown to editors and above. */
export const viewOf =
  (role: Role, checks: Catalogue["Service"]["checks"]) =>
  (monitor: Monitor): Monitor => {
    if (permits(role, "secrets.read")) return monitor
    const { config, signalToken, type } = monitor
    const check = checks.get(type)
    const secrets = check === undefined ? Object.keys(config) : [...check.secrets, ...(check.writeOnly ?? [])]
    return { ...monitor, config: withoutSecrets(config, secrets), signalToken: signalToken === null ? null : dots }
  }

export const make = Effect.gen(function* () {
  const history = yield* History
  const domainRegistrations = yield* DomainRegistrations
  const targets = yield* TargetWarnings
  const { checks } = yield* Catalogue
  const monitors = yield* Monitors
  const settings = yield* ApiSettings
  const apiUrl = `${settings.baseUrl}${basePath}`

  /** Reads what is known about these monitors; returns how to show one of them. */
  const encoder = Effect.fnUntraced(function* (ids: ReadonlyArray<MonitorId>) {
    const now = yield* Clock.currentTimeMillis
    const certificates = yield* history.certificates(ids)
    const registrations = yield* domainRegistrations.ofMonitors(ids)
    const view = viewOf(yield* CallerRole, checks)
    return (shown: Monitor) => {
      const monitor = view(shown)
      const certificate = summarize(certificates.get(monitor.id), now)
      return MonitorBody.encode(
        MonitorSecrets.shown(checks, monitor),
        { certificate, domain: registrations.get(monitor.id), now },
        apiUrl
      )
    }
  })

  /**
   * Adds the warnings about the target and the settings of the monitor. They look up no name for a caller who may run no checks,
   * and compare no password for one who may not read it.
   */
  const withWarnings = Effect.fnUntraced(function* (
    monitor: Monitor,
    record: MonitorBody.MonitorRecord,
    queues = false
  ) {
    const role = yield* CallerRole
    const isReadable = isDeepStrictEqual(viewOf(role, checks)(monitor).config, monitor.config)
    const context = {
      knownRegions: yield* settings.knownRegions,
      defaultTimeout: checks.get(monitor.type)?.defaults.timeout,
      duplicates: isReadable ? yield* monitors.duplicates(monitor) : []
    }
    const ofTarget = permits(role, "checks.run") ? yield* targets.of(monitor, queues) : []
    const warnings = [...ofTarget, ...MonitorWarnings.ofSettings(monitor, context)]
    return warnings.length === 0 ? record : { ...record, warnings }
  })

  /** A monitor that was created just now, about which nothing can be known yet. */
  const created = (monitor: Monitor, queues = false) =>
    withWarnings(
      monitor,
      MonitorBody.encode(
        MonitorSecrets.shown(checks, monitor),
        { certificate: undefined, domain: undefined, now: 0 },
        apiUrl
      ),
      queues
    )

  return {
    encoder,
    /** A single monitor. */
    one: (monitor: Monitor) => Effect.map(encoder([monitor.id]), (encode) => encode(monitor)),
    withWarnings,
    created: (monitor: Monitor) => created(monitor),
    /** Monitors that were created together. */
    createdTogether: (monitors: ReadonlyArray<Monitor>) =>
      Effect.forEach(monitors, (monitor) => created(monitor, true), { concurrency: "unbounded" })
  }
})
