/** `kanmon apply`: brings a project in line with files, over the API. Prints the plan first. */
import { Catalogue } from "@kanmon/core/PluginHost"
import { Console, Data, Effect, type Option } from "effect"
import { Command, Flag } from "effect/cli"
import * as Applying from "@kanmon/as-code/Applying"
import * as Decoding from "@kanmon/as-code/Decoding"
import * as Directory from "@kanmon/as-code/Directory"
import * as FileSchema from "@kanmon/as-code/FileSchema"
import * as Files from "@kanmon/as-code/Files"
import { inOrder, line, type Mistake } from "@kanmon/as-code/Place"
import * as ApplyPlan from "@kanmon/as-code/ApplyPlan"
import * as PlanText from "@kanmon/as-code/PlanText"
import * as Body from "@kanmon/as-code/RequestBody"
import { nameOf } from "@kanmon/as-code/Resource"
import * as Source from "@kanmon/as-code/Source"
import * as Testing from "@kanmon/as-code/Testing"
import * as State from "@kanmon/as-code/State"
import { environment } from "../Settings.ts"
import * as ApplyCredential from "./ApplyCredential.ts"
import { confirmed } from "./Confirmation.ts"
import * as LocalPlugins from "./LocalPlugins.ts"

/** Nothing was changed; the message says why. */
class NotApplied extends Data.TaggedError("NotApplied")<{ readonly message: string }> {}

/** Some steps failed or were not attempted. */
class PartlyApplied extends Data.TaggedError("PartlyApplied")<{ readonly message: string }> {}

const wrong = (mistakes: ReadonlyArray<Mistake>): NotApplied =>
  new NotApplied({
    message: [
      `${mistakes.length === 1 ? "A mistake" : `${mistakes.length} mistakes`} in the files; nothing was done.`,
      ...inOrder(mistakes).map(line)
    ].join("\n")
  })

const wanted = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
  const { entries, mistakes, sections } = Source.read(yield* Files.read(names), environment())
  const decoded = Decoding.decode(entries, yield* Catalogue)
  // An unset variable also makes an invalid value; one of the two errors is enough.
  const reported = new Set(mistakes.map(({ path }) => path))
  const all = [...mistakes, ...decoded.mistakes.filter(({ path }) => !reported.has(path))]
  if (all.length > 0) return yield* wrong(all)
  const places = new Map(entries.map((entry) => [nameOf(entry), entry]))
  /** An error in a field of a resource, with its position. */
  const mistake = (
    one: { readonly kind: ApplyPlan.Step["kind"]; readonly key: string },
    path: string,
    message: string
  ) => {
    const entry = places.get(nameOf(one))!
    return { place: entry.at(path), path: `${entry.section}.${one.key}${path === "" ? "" : `.${path}`}`, message }
  }
  return { wanted: decoded.wanted, sections, mistake }
})

interface Place {
  readonly mistake: (step: ApplyPlan.Step, path: string, message: string) => Mistake
}

/** The server's refusal with places in the files. Deleted records have no place. */
const words = ({ failure, objections }: Applying.Refused, { mistake }: Place): string =>
  objections.length === 0
    ? failure.message
    : objections
        .map(({ message, path, step }) =>
          step.action === "delete"
            ? `${nameOf(step)} could not be deleted: ${message}`
            : line(mistake(step, Body.inFile(path), message))
        )
        .join("\n")

/** The remedy for changes that others made after the plan. */
const overtaken = ({ failure }: Applying.Refused): string =>
  failure.status === 412
    ? "\nSomebody changed that after this plan was made. Run the command again for a new plan, which shows what it overwrites."
    : ""

/** The completed steps were already printed. */
const failure = (
  refused: Applying.Refused,
  files: Place,
  done: number,
  steps: ReadonlyArray<ApplyPlan.Step>
): NotApplied | PartlyApplied => {
  const first = refused.objections.length === 0 ? "The changes could not be made" : "The server refuses the changes"
  if (done === 0)
    return new NotApplied({ message: `${first}; nothing was changed.\n${words(refused, files)}${overtaken(refused)}` })
  return new PartlyApplied({
    message: [
      `${first}.`,
      words(refused, files) + overtaken(refused),
      `${done} of ${steps.length} steps were done, in requests before this one. Not done: ${steps.slice(done).map(nameOf).join(", ")}.`,
      "Correct that and run the command again: it continues from there."
    ].join("\n")
  })
}

/** Checks the new and changed monitors once, and refuses the plan when one does not pass. */
const tested = Effect.fnUntraced(function* (
  plan: ApplyPlan.ApplyPlan,
  checks: Parameters<typeof Testing.run>[1],
  { mistake }: Place
) {
  const { failing, tested: count } = yield* Testing.run(plan, checks)
  if (failing.length === 0)
    return yield* Console.log(`${count} of the new and changed monitors were checked; all pass.`)
  return yield* new NotApplied({
    message: [
      `${failing.length} of ${count} checks do not pass; nothing was changed.`,
      ...inOrder(failing.map(({ message, step }) => mistake(step, "", message))).map(line)
    ].join("\n")
  })
})

/** Prints what the server would say. */
const judged = Effect.fnUntraced(function* (
  plan: ApplyPlan.ApplyPlan,
  { current, directory }: State.State,
  files: Place
) {
  const { judged: count, refused, said } = yield* Applying.judge(plan, current, directory)
  if (refused !== undefined) return yield* failure(refused, files, 0, plan.steps)
  for (const one of said) yield* Console.log(PlanText.judged(one.step, one))
  if (count > 0)
    yield* Console.log(
      count === plan.steps.length
        ? "The server accepts these changes."
        : `The server accepts the first ${count} of ${plan.steps.length} changes; the others are sent, and judged, after them.`
    )
})

interface Options {
  readonly file: ReadonlyArray<string>
  readonly url: Option.Option<string>
  readonly project: Option.Option<string>
  readonly prune: boolean
  readonly dryRun: boolean
  readonly detailedExitcode: boolean
  readonly yes: boolean
  /** Check the new and changed monitors first. */
  readonly test: boolean
}

const run = Effect.fnUntraced(function* ({ detailedExitcode, dryRun, file, prune, test, yes, ...given }: Options) {
  const files = yield* wanted(file)
  if (prune && files.wanted.length === 0) {
    return yield* new NotApplied({
      message: "The files are empty, and --prune would delete everything that was created from files: nothing was done"
    })
  }
  const { checks } = yield* Catalogue
  const { layer, url } = yield* ApplyCredential.find(given)
  yield* Effect.gen(function* () {
    const state = yield* State.read(files.wanted, checks, files.sections)
    const { current, directory, project } = state
    const plan = ApplyPlan.make(files.wanted, current, { prune })
    const refused = [...plan.refused, ...Directory.objections(files.wanted, directory)]
    if (refused.length > 0) return yield* wrong(refused.map((one) => files.mistake(one, one.field, one.message)))
    yield* Console.log(`${project === undefined ? "The project" : `Project ${project}`} at ${url}\n`)
    for (const text of PlanText.describe(plan)) yield* Console.log(text)
    if (test && plan.steps.length > 0) yield* tested(plan, checks, files)
    if (dryRun) {
      yield* judged(plan, state, files)
      if (detailedExitcode && plan.steps.length > 0) process.exitCode = 2
      return
    }
    if (plan.steps.length === 0) return
    if (!(yield* confirmed(yes, "Apply this?", "--dry-run"))) return yield* Console.log("Nothing was done.")
    const outcome = yield* Applying.apply(
      plan,
      current,
      (step, said) => Console.log(PlanText.done(step, said)),
      directory
    )
    if (outcome.refused === undefined) return yield* Console.log("Done.")
    return yield* failure(outcome.refused, files, outcome.done.length, plan.steps)
  }).pipe(Effect.provide(layer))
})

const flag = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false))

export const apply = Command.make(
  "apply",
  {
    file: Flag.String("file").pipe(
      Flag.withAlias("f"),
      Flag.withDescription("A file, or a folder with .yaml files; may be given several times"),
      Flag.atLeast(0)
    ),
    url: ApplyCredential.url,
    project: ApplyCredential.project,
    prune: flag(
      "prune",
      "Delete what was created from files and is in none of these; never what was created otherwise"
    ),
    dryRun: flag("dry-run", "Print the plan, let the server judge it, and change nothing"),
    detailedExitcode: flag("detailed-exitcode", "With --dry-run: exit with 2 if there are changes"),
    test: flag("test", "Check the new and changed monitors once before anything is changed; stop if one does not pass"),
    yes: flag("yes", "Do not ask"),
    schema: flag("schema", "Print the JSON Schema of the files, this installation's plugins included, and do nothing")
  },
  ({ schema, ...options }) =>
    Effect.gen(function* () {
      if (schema) return yield* Console.log(JSON.stringify(FileSchema.make(yield* Catalogue), null, 2))
      if (options.file.length === 0)
        return yield* new NotApplied({ message: "Name a file or a folder with -f, such as -f kanmon.yaml" })
      yield* run(options)
    }).pipe(Effect.provide(LocalPlugins.layer))
).pipe(
  Command.withDescription(
    "Brings a project's monitors, channels, maintenance windows, rules and pages, and the schedules and policies of its organization, in line with files, with a key in KANMON_API_KEY or with kanmon login"
  ),
  Command.withExamples([
    { command: "kanmon apply -f kanmon.yaml --dry-run", description: "Prints the plan" },
    { command: "kanmon apply -f monitoring/ --prune --yes", description: "In a pipeline, from a folder" }
  ])
)
