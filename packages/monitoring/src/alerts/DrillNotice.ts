/**
 * Notices of drills. Each says in its name and in its reason that it is one, which every channel type shows, also one that does not
 * know of drills. Pure.
 */
import type { Notice } from "@kanmon/core/Notice"
import type { DrillId } from "@kanmon/domain/Ids"
import type { Severity } from "@kanmon/domain/Severity"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { closing as closingOf } from "./ExternalNotice.ts"
import { unmeasured } from "./NoticeBody.ts"

interface About {
  readonly alertId: string
  readonly project: Notice["project"]
  readonly rule: Notice["rule"]
  readonly severity: Severity
  readonly at: EpochMillis
  readonly baseUrl: string
}

/** The word by which people tell practice from an alert. */
const mark = "DRILL"

/** The notice that opens an alert of a drill. */
export const opening = (
  drill: { readonly id: DrillId; readonly name: string },
  { alertId, at, baseUrl, project, rule, severity }: About
): Notice => ({
  id: "",
  alertId,
  event: "external",
  drill: true,
  severity,
  at,
  project,
  rule,
  monitor: { id: drill.id, name: `${mark}: ${drill.name}`, type: "drill", target: "" },
  reason: `${mark}: this is practice, and nothing is wrong. Acknowledge it as you would acknowledge a real alert`,
  startedAt: at,
  durationSeconds: null,
  ...unmeasured,
  expiresAt: null,
  overtakesOpening: false,
  reminder: false,
  links: { monitor: `${baseUrl}/on-call/drills/${drill.id}?project=${project.id}` }
})

/** The notice that a drill is over. */
export const closing = (first: Notice, reason: string, at: EpochMillis): Notice =>
  closingOf(first, { message: `${mark}: ${reason}` }, at)
