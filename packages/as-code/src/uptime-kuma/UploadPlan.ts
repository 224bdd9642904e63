/** Converts a file of Uptime Kuma to the requests that create its records, as `kanmon import` and `kanmon apply` would. */
import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import type { ImportedFile } from "@kanmon/protocol/ImportBody"
import { Clock, Data, Effect } from "effect"
import * as ApplyPlan from "../ApplyPlan.ts"
import * as Decoding from "../Decoding.ts"
import * as Body from "../RequestBody.ts"
import { type Kind, nameOf, type Wanted } from "../Resource.ts"
import * as Source from "../Source.ts"
import * as Backup from "./Backup.ts"
import { isJson, textOf } from "./BackupText.ts"
import * as Database from "./Database.ts"
import { startOf } from "./DatabaseFile.ts"
import * as Import from "./Import.ts"

/** The file is of no use; the message says why. */
export class Refused extends Data.TaggedError("Refused")<{ readonly message: string }> {}

type ImportedKind = ImportedFile["steps"][number]["kind"]

const paths: Readonly<Record<ImportedKind, string>> = {
  channel: "/notification-channels",
  monitor: "/monitors",
  maintenance: "/incidents",
  rule: "/alert-rules",
  page: "/status-pages"
}

/** Uptime Kuma has no schedules and no policies. */
const isImported = (kind: Kind): kind is ImportedKind => Object.hasOwn(paths, kind)

/** More than this is no installation of Uptime Kuma, but a file that was made to keep somebody busy. */
const maxRecords = 10_000
const maxJsonBytes = 64 * 1024 * 1024

const read = (file: string): Effect.Effect<Backup.Backup, Refused> =>
  Effect.gen(function* () {
    const start = startOf(file)
    if (start.length === 0) return yield* new Refused({ message: "The file is empty" })
    if (!isJson(start))
      return yield* Effect.mapError(
        Database.read(file),
        ({ message }) => new Refused({ message: message.replaceAll(file, "The file") })
      )
    const content = readFileSync(file)
    if (content.length > maxJsonBytes)
      return yield* new Refused({ message: "The file is too large for a backup of Uptime Kuma" })
    return yield* Effect.mapError(
      Effect.fromResult(Backup.read(textOf(content))),
      (why) => new Refused({ message: `The file is not a backup of Uptime Kuma: ${why}` })
    )
  })

/** The name of a record as its request has it. */
const titleOf = ({ fields, key }: Wanted): string => String(fields["name"] ?? fields["title"] ?? key)

/** The requests that would create what the file describes. */
export const plan = (file: string, kinds: Decoding.Kinds) =>
  Effect.gen(function* () {
    const backup = yield* read(file)
    if (backup.monitors.length + backup.notifications.length > maxRecords)
      return yield* new Refused({ message: `The file has more than ${maxRecords} monitors and notifications` })
    const { counts, report, variables, yaml } = Import.convert(backup, kinds, yield* Clock.currentTimeMillis)
    const environment = Object.fromEntries(variables.map(({ name, value }) => [name, value]))
    const source = Source.read([{ name: "kanmon.yaml", text: yaml }], environment)
    const { mistakes, wanted } = Decoding.decode(source.entries, kinds)
    const wrong = [...source.mistakes, ...mistakes].map(({ message, path }) => `${path}: ${message}`)
    if (wrong.length > 0)
      return yield* new Refused({
        message: `The content of the file cannot be imported: ${wrong.slice(0, 5).join("; ")}`
      })
    const nonce = randomBytes(6).toString("base64url")
    const refs = new Map(wanted.map((one) => [nameOf(one), `ref_${nonce}_${one.kind}_${one.key}`]))
    const { steps } = ApplyPlan.make(wanted, [], { prune: false })
    const planned: ImportedFile = {
      counts: { ...counts, maintenance: wanted.filter(({ kind }) => kind === "maintenance").length },
      steps: steps.flatMap((step) =>
        step.action === "create" && isImported(step.kind)
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
