/** A server that keeps what it is sent: as a record is changed, so it is listed. */
import { assert } from "@effect/vitest"
import * as ChangesBody from "@kanmon/protocol/ChangesBody"
import { Effect, Layer, type Schema } from "effect"
import { Remote, RemoteFailure, type Row } from "../src/Remote.ts"
import { type Kind, kinds as allKinds } from "../src/Resource.ts"

/** A maintenance window on the server: its timeline, and the status, which no body contains. */
const window = (laid: Record<string, any>, now: Record<string, any> | undefined, announcement: unknown) => ({
  series: laid["recurrence"] === null ? null : laid["series"],
  tags: laid["tags"] ?? [],
  status: now?.["status"] ?? "investigating",
  updates: [{ message: announcement ?? now?.["updates"][0].message ?? laid["message"] }]
})

interface Options {
  /** Refuses the changes of these records, named as in messages. */
  readonly refusing?: ReadonlyArray<string>
  readonly warning?: string
  /** Fails every request, or those after so many. */
  readonly down?: { readonly after: number }
}

/** Keeps rows, makes all changes of a request or none, and warns of what it makes. */
export const server = ({ down, refusing = [], warning }: Options = {}) => {
  const requests: Array<{ readonly changes: number; readonly dryRun: boolean }> = []
  const rows = Object.fromEntries(allKinds.map((kind) => [kind, new Map<string, Row>()])) as Record<
    Kind,
    Map<string, Row>
  >
  let written = 0
  const put = (kind: Kind, id: string, body: Schema.Json) => {
    const { announcement, config, ...rest } = body as Record<string, any>
    const now = rows[kind].get(id) as Record<string, any> | undefined
    const laid = Object.fromEntries(
      Object.entries({ pausedReason: null, wantedInterval: null, ...now, ...rest }).filter(
        ([field, value]) => value !== null || kind !== "monitor" || field in { pausedReason: 0, wantedInterval: 0 }
      )
    )
    const settings = Object.fromEntries(
      Object.entries({ ...now?.["config"], ...config }).filter(([, value]) => value !== null)
    )
    const row = {
      ...laid,
      ...(kind === "channel" ? { config: settings } : {}),
      ...(kind === "maintenance" ? window(laid, now, announcement) : {}),
      id,
      projectId: "prj_1"
    } as unknown as Row
    rows[kind].set(id, row)
    return row
  }
  const layer = Layer.succeed(
    Remote,
    Remote.of({
      list: (kind) => Effect.sync(() => [...rows[kind].values()]),
      every: (kind) => Effect.sync(() => [...rows[kind].values()]),
      change: (changes, dryRun) =>
        Effect.suspend(() => {
          requests.push({ changes: changes.length, dryRun })
          if (down !== undefined && requests.length > down.after)
            return Effect.fail(new RemoteFailure({ message: "No", status: 503, errors: [] }))
          const errors = changes.flatMap((change, index) =>
            change.action !== "delete" && refusing.includes(`${change.kind} ${String(change.body["key"])}`)
              ? [{ path: `changes[${index}].body.name`, message: "Refused" }]
              : []
          )
          if (errors.length > 0) return Effect.fail(new RemoteFailure({ message: "See errors", status: 422, errors }))
          if (dryRun) return Effect.succeed(changes.map(() => ({ id: "not_kept" })))
          const made = new Map<string, string>()
          return Effect.succeed(
            changes.map((change) => {
              if (change.action === "delete") rows[change.kind].delete(change.id)
              if (change.action === "delete") return { id: change.id }
              const id = change.action === "update" ? change.id : `${change.kind}-${++written}`
              const body = ChangesBody.resolved(change.kind, change.body, ({ key, kind }) => made.get(`${kind} ${key}`))
              assert.notInclude(JSON.stringify(body), ChangesBody.newPrefix)
              put(change.kind, id, body as Schema.Json)
              if (change.action === "create") made.set(`${change.kind} ${String(change.body["key"])}`, id)
              return warning === undefined ? { id } : { id, warnings: [{ code: "address_refused", message: warning }] }
            })
          )
        }),
      test: (body) => {
        const { host } = body as { readonly host?: string }
        if (host === "down.example") return Effect.succeed({ status: "down", failure: { message: "It refused" } })
        if (host === "blind.example") return Effect.succeed({ status: "unknown", failure: null })
        return host === "busy.example"
          ? Effect.fail(new RemoteFailure({ message: "Too many tests", status: 429, errors: [] }))
          : Effect.succeed({ status: "up", failure: null })
      },
      compare: () => Effect.succeed({ differing: [], hidden: [] }),
      organization: Effect.succeed({ members: [], teams: [] }),
      projectName: () => Effect.succeed("Shop")
    })
  )
  return { rows, layer, requests }
}
