/**
 * The process that reads an uploaded file of Uptime Kuma: it may only read files, has no secrets in its environment, and is
 * killed when it takes too long. It converts the file as `kanmon import uptime-kuma` does.
 */
import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import * as Decoding from "@kanmon/as-code/Decoding"
import * as ApplyPlan from "@kanmon/as-code/ApplyPlan"
import * as Body from "@kanmon/as-code/RequestBody"
import { type Kind, nameOf, type Wanted } from "@kanmon/as-code/Resource"
import * as Source from "@kanmon/as-code/Source"
import * as Backup from "@kanmon/as-code/uptime-kuma/Backup"
import * as Database from "@kanmon/as-code/uptime-kuma/Database"
import { startOf } from "@kanmon/as-code/uptime-kuma/DatabaseFile"
import * as Import from "@kanmon/as-code/uptime-kuma/Import"
import { load } from "@kanmon/core/PluginHost"
import type { ImportPlan } from "@kanmon/protocol/ImportBody"
import { Cause, Clock, Data, Effect, Exit } from "effect"
import { bundled } from "../plugins.gen.ts"

/** What the process says before it ends. */
export type Said =
  { readonly _tag: "Planned"; readonly plan: ImportPlan } | { readonly _tag: "Refused"; readonly message: string }

class Refused extends Data.TaggedError("Refused")<{ readonly message: string }> {}

const paths: Readonly<Record<Kind, string>> = {
  channel: "/notification-channels",
  monitor: "/monitors",
  maintenance: "/incidents",
  rule: "/alert-rules",
  page: "/status-pages"
}

/** More than this is no installation of Uptime Kuma, but a file that was made to keep somebody busy. */
const maxRecords = 10_000
const maxJsonBytes = 64 * 1024 * 1024

const read = (file: string): Effect.Effect<Backup.Backup, Refused> =>
  Effect.gen(function* () {
    const start = startOf(file).toString("utf8")
    if (start === "") return yield* new Refused({ message: "The file is empty" })
    if (!/^\s*[[{]/.test(start))
      return yield* Effect.mapError(
        Database.read(file),
        ({ message }) => new Refused({ message: message.replaceAll(file, "The file") })
      )
    const content = readFileSync(file)
    if (content.length > maxJsonBytes)
      return yield* new Refused({ message: "The file is too large for a backup of Uptime Kuma" })
    return yield* Effect.mapError(
      Effect.fromResult(Backup.read(content.toString("utf8"))),
      (why) => new Refused({ message: `The file is not a backup of Uptime Kuma: ${why}` })
    )
  })

/** The name of a record as its request has it. */
const titleOf = ({ fields, key }: Wanted): string => String(fields["name"] ?? fields["title"] ?? key)

const plan = (file: string) =>
  Effect.gen(function* () {
    const backup = yield* read(file)
    if (backup.monitors.length + backup.notifications.length > maxRecords)
      return yield* new Refused({ message: `The file has more than ${maxRecords} monitors and notifications` })
    const kinds = yield* load(bundled)
    const { counts, report, variables, yaml } = Import.convert(backup, kinds, yield* Clock.currentTimeMillis)
    const environment = Object.fromEntries(variables.map(({ name, value }) => [name, value]))
    const source = Source.read([{ name: "kanmon.yaml", text: yaml }], environment)
    const { mistakes, wanted } = Decoding.decode(source.entries, kinds)
    const wrong = [...source.mistakes, ...mistakes].map(({ message, path }) => `${path}: ${message}`)
    if (wrong.length > 0)
      return yield* new Refused({
        message: `What the file holds cannot be carried over: ${wrong.slice(0, 5).join("; ")}`
      })
    const nonce = randomBytes(6).toString("base64url")
    const refs = new Map(wanted.map((one) => [nameOf(one), `ref_${nonce}_${one.kind}_${one.key}`]))
    const { steps } = ApplyPlan.make(wanted, [], { prune: false })
    const planned: ImportPlan = {
      counts: { ...counts, maintenance: wanted.filter(({ kind }) => kind === "maintenance").length },
      steps: steps.flatMap((step) =>
        step.action === "create"
          ? [
              {
                ref: refs.get(nameOf(step)) ?? "",
                kind: step.kind,
                name: titleOf(step.wanted),
                path: paths[step.kind],
                body: Body.whole(step.wanted, refs)
              }
            ]
          : []
      ),
      notes: report
    }
    return planned
  })

const say = (said: Said): void => {
  process.send?.(said, () => process.disconnect())
}

const exit = await Effect.runPromiseExit(plan(process.argv[2] ?? ""))
if (Exit.isSuccess(exit)) say({ _tag: "Planned", plan: exit.value })
else {
  const failure = Cause.squash(exit.cause)
  say({
    _tag: "Refused",
    message:
      failure instanceof Refused
        ? failure.message
        : "The file cannot be read: it is damaged, or not of a version of Uptime Kuma that is known here"
  })
}
