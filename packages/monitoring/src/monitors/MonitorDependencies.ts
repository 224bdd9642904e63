/** The rules for dependencies of a monitor: monitors of its project, without a cycle. */
import { cycleThrough } from "@kanmon/domain/Dependencies"
import { type FieldError, InvalidFields } from "@kanmon/domain/FieldErrors"
import type { Monitor } from "@kanmon/domain/Monitor"
import { Effect } from "effect"
import type { MonitorRecordRepository } from "../registry/index.ts"

/** The monitors that one depends on exist in its project, and none of them depends on it. */
export const admitting = (repository: MonitorRecordRepository["Service"]) =>
  Effect.fnUntraced(function* ({ dependsOn, id, projectId }: Monitor) {
    if (dependsOn.length === 0) return
    const known = yield* repository.lockExisting(projectId, dependsOn)
    const unknown = dependsOn.flatMap((parent, index): ReadonlyArray<FieldError> =>
      known.has(parent) ? [] : [{ path: `dependsOn[${index}]`, message: `This project has no ${parent}` }]
    )
    if (unknown.length > 0) return yield* new InvalidFields({ errors: unknown })
    // Writers of an account wait for each other, so that two of them cannot close a cycle together.
    const cycle = cycleThrough(id, new Map([...(yield* repository.dependencies(projectId)), [id, dependsOn]]))
    if (cycle === undefined) return
    const message = `Expected no cycle: ${cycle.join(" depends on ")}`
    return yield* new InvalidFields({ errors: [{ path: "dependsOn", message }] })
  })
