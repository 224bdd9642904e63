/**
 * Decodes the bodies of monitors. The code of a kind examines patterns and keys in the bounded evaluator, for all
 * monitors of a request together, so its cost is limited by the request and not by the monitor.
 */
import { BoundedEvaluator, EvaluationOwner } from "@kanmon/core/BoundedEvaluator"
import { vetted } from "@kanmon/core/Check"
import { Catalogue } from "@kanmon/core/PluginHost"
import * as Vetting from "@kanmon/core/Vetting"
import { type FieldError, InvalidFields } from "@kanmon/domain/FieldErrors"
import type { ProjectId } from "@kanmon/domain/Ids"
import type { Monitor } from "@kanmon/domain/Monitor"
import * as MonitorBody from "@kanmon/protocol/MonitorBody"
import * as MonitorBulkBody from "@kanmon/protocol/MonitorBulkBody"
import { Problem } from "@kanmon/protocol/Problem"
import { Effect, Result } from "effect"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import * as Turns from "@kanmon/platform/Turns"
import * as MonitorSecrets from "./MonitorSecrets.ts"

type Draft = MonitorBody.MonitorDraft
type Decoded = Result.Result<Draft, InvalidFields>

export const make = Effect.gen(function* () {
  const { checks } = yield* Catalogue
  const evaluator = yield* BoundedEvaluator
  const settings = yield* ApiSettings
  const kinds = Vetting.cheap(checks)

  const problems = (projectId: ProjectId, all: ReadonlyArray<Vetting.Configured>) =>
    Vetting.problems(checks, all).pipe(
      Effect.provideService(EvaluationOwner, projectId),
      Effect.provideService(BoundedEvaluator, evaluator),
      Effect.mapError(({ reason }) => (reason === "unavailable" ? busy : tooMuch(all.length)))
    )

  const examined = Effect.fnUntraced(function* (projectId: ProjectId, body: unknown, decoded: Decoded) {
    const [found = []] = yield* problems(projectId, configured([body]))
    return yield* Effect.fromResult(vetted(decoded, found))
  })

  /** The body of a new monitor. */
  const create = Effect.fnUntraced(function* (projectId: ProjectId, body: unknown) {
    return yield* examined(projectId, body, MonitorSecrets.decode(kinds, yield* settings.knownRegions, body))
  })

  /** The settings of a monitor that is not stored. */
  const trial = Effect.fnUntraced(function* (projectId: ProjectId, body: unknown) {
    return yield* examined(projectId, body, MonitorBody.decode(kinds, yield* settings.knownRegions, body))
  })

  /** The body of new monitors. */
  const createMany = Effect.fnUntraced(function* (projectId: ProjectId, body: unknown) {
    const known = yield* settings.knownRegions
    const bodies = yield* Effect.fromResult(MonitorBulkBody.batch(body))
    const decoded = yield* Turns.map(bodies, oneTurn, (monitor) => MonitorSecrets.decode(kinds, known, monitor))
    const drafts = yield* Effect.fromResult(MonitorBulkBody.allOf(decoded))
    const found = yield* problems(
      projectId,
      drafts.map(({ config, type }) => ({ type, fields: config }))
    )
    const errors = found.flatMap(
      (own, index) => MonitorBulkBody.ofItem(index, new InvalidFields({ errors: own })).errors
    )
    return errors.length === 0
      ? drafts
      : yield* new InvalidFields({ errors: errors.slice(0, MonitorBulkBody.maxErrors) })
  })

  /** A change of monitors. Unchanged values were examined before. */
  const change = Effect.fnUntraced(function* (
    projectId: ProjectId,
    monitors: ReadonlyArray<Monitor>,
    bodyFor: (monitor: Monitor) => unknown
  ) {
    const known = yield* settings.knownRegions
    const decoded = yield* Turns.map(monitors, oneTurn, (monitor) =>
      MonitorSecrets.decodeChange(kinds, known, monitor, bodyFor(monitor))
    )
    const found = yield* problems(
      projectId,
      monitors.map((monitor, index) => {
        const draft = decoded[index]!
        const before = ofMonitor(monitor)
        const after = Result.isSuccess(draft)
          ? ofMonitor(draft.success)
          : { ...before, fields: record(bodyFor(monitor)) }
        return Vetting.subject(checks, before) === Vetting.subject(checks, after) ? { ...before, fields: {} } : after
      })
    )
    return decoded.map((draft, index) => vetted(draft, found[index] ?? []))
  })

  /**
   * Returns the change of one monitor, to be run on it under its lock. It is examined before, since that may take time, and
   * again if the monitor was changed meanwhile.
   */
  const changeOne = Effect.fnUntraced(function* (before: Monitor, body: unknown) {
    const { projectId } = before
    const [first] = yield* change(projectId, [before], () => body)
    const examinedText = subjectOf(first)
    return Effect.fnUntraced(function* (current: Monitor) {
      const draft = MonitorSecrets.decodeChange(kinds, yield* settings.knownRegions, current, body)
      if (first !== undefined && Result.isFailure(first)) return yield* first.failure
      if (Result.isSuccess(draft) && subjectOf(draft) === examinedText) return draft.success
      const [again] = yield* change(projectId, [current], () => body)
      return yield* Effect.fromResult(again!)
    })
  })

  const subjectOf = (draft: Decoded | undefined): string | undefined =>
    draft !== undefined && Result.isSuccess(draft) ? Vetting.subject(checks, ofMonitor(draft.success)) : undefined

  return { create, trial, createMany, change, changeOne }
})

/** How many monitors are decoded before others get a turn. */
const oneTurn = 100

const ofMonitor = ({ config, type }: Pick<Draft, "config" | "type">): Vetting.Configured => ({ type, fields: config })

/** Bodies that may be invalid. Bodies that are not objects have nothing to examine. */
const configured = (bodies: ReadonlyArray<unknown>): ReadonlyArray<Vetting.Configured> =>
  bodies.map((body) => {
    const fields = record(body)
    return { type: typeof fields["type"] === "string" ? fields["type"] : "", fields }
  })

const record = (body: unknown): Readonly<Record<string, unknown>> =>
  typeof body === "object" && body !== null ? { ...body } : {}

const tooMuch = (monitors: number): InvalidFields => {
  const what = "regular expressions, JSONPaths and keys"
  const errors: ReadonlyArray<FieldError> = [
    {
      path: "",
      message:
        monitors === 1
          ? `The ${what} of this monitor take too long to examine: simplify them`
          : `The ${what} of these monitors take too long to examine together: send fewer monitors at once, or simplify them`
    }
  ]
  return new InvalidFields({ errors })
}

const busy = new Problem({
  code: "unavailable",
  detail: "The regular expressions, JSONPaths and keys could not be examined now; try again in a few seconds",
  retryAfter: 5
})
