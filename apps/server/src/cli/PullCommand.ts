/** `kanmon pull`: writes a project to files for `kanmon apply`, and adopts what was made by hand. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import * as Files from "@kanmon/as-code/Files"
import { inOrder, line } from "@kanmon/as-code/Place"
import { fieldLines } from "@kanmon/as-code/PlanText"
import * as Pull from "@kanmon/as-code/pull/Pull"
import * as PullText from "@kanmon/as-code/pull/PullText"
import type { SourceFile } from "@kanmon/as-code/Source"
import { environmentFile } from "@kanmon/as-code/Written"
import { Catalogue } from "@kanmon/core/PluginHost"
import { Console, Data, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { environment } from "../Settings.ts"
import * as ApplyCredential from "./ApplyCredential.ts"
import { confirmed } from "./Confirmation.ts"
import * as LocalPlugins from "./LocalPlugins.ts"
import * as NewFile from "./NewFile.ts"

/** Nothing was written; the message says why. */
class NotPulled extends Data.TaggedError("NotPulled")<{ readonly message: string }> {}

const defaultFile = "kanmon.yaml"

const attempt = <A>(file: string, work: () => Promise<A>) =>
  Effect.tryPromise({
    try: work,
    catch: (cause) => new NotPulled({ message: `${file}: ${NewFile.words(cause)}` })
  })

/** The files as they are, and the one for new entries: the first one, or `kanmon.yaml` in a folder. */
const read = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
  const target = yield* attempt(names[0]!, () =>
    fs.stat(names[0]!).then(
      (found) => (found.isDirectory() ? path.join(names[0]!, defaultFile) : names[0]!),
      () => names[0]!
    )
  )
  const isMissing = yield* attempt(target, () =>
    fs.stat(target).then(
      () => false,
      () => true
    )
  )
  // A folder may have no file yet.
  const existing = names.filter((name) => !(isMissing && name === target))
  const found = yield* Effect.forEach(existing, (name) =>
    Effect.catchTag(Files.read([name]), "UnreadableFile", (error) =>
      isMissing && path.join(name, defaultFile) === target ? Effect.succeed([]) : Effect.fail(error)
    )
  )
  return { target, files: found.flat() }
})

/** Replaces files atomically: write errors are known before anything is changed on the server. */
const replacement = ({ name, text }: SourceFile) =>
  Effect.gen(function* () {
    const draft = `${name}.pull-${process.pid}`
    const mode = yield* attempt(name, () =>
      fs.stat(name).then(
        (found) => found.mode & 0o777,
        () => 0o644
      )
    )
    yield* Effect.acquireRelease(
      attempt(name, () => NewFile.write(draft, text, mode)),
      () => Effect.promise(() => fs.rm(draft, { force: true }))
    )
    return attempt(name, () => fs.rename(draft, name))
  })

interface Options {
  readonly file: ReadonlyArray<string>
  readonly url: Option.Option<string>
  readonly project: Option.Option<string>
  readonly check: boolean
  readonly managed: boolean
  readonly prune: boolean
  readonly onCall: boolean
  /** With `check`: fail if a variable is not set, because its secret cannot be compared. */
  readonly requireSecrets: boolean
  readonly secretsFile: Option.Option<string>
  readonly yes: boolean
}

const run = Effect.fnUntraced(function* ({
  check,
  managed,
  onCall,
  prune,
  requireSecrets,
  secretsFile,
  yes,
  ...given
}: Options) {
  const names = given.file.length === 0 ? [defaultFile] : given.file
  const { files, target } = yield* read(names)
  const { layer, url } = yield* ApplyCredential.find(given)
  yield* Effect.gen(function* () {
    const pulled = yield* Pull.pull(files, environment(), yield* Catalogue, {
      target,
      managed,
      prune,
      onCall
    })
    if ("mistakes" in pulled) {
      const [first, ...others] = inOrder(pulled.mistakes)
      const count = others.length === 0 ? "A mistake" : `${others.length + 1} mistakes`
      return yield* new NotPulled({
        message: [`${count} in the files; nothing was done.`, ...[first!, ...others].map(line)].join("\n")
      })
    }
    const { project } = pulled
    if (!check && pulled.unreadable.length > 0)
      return yield* new NotPulled({
        message: [
          "Files can be written only with the role editor, because these fields are not shown without it; nothing was done. --check works with every role.",
          ...fieldLines(pulled.unreadable)
        ].join("\n")
      })
    yield* Console.log(`${project === undefined ? "The project" : `Project ${project}`} at ${url}\n`)
    for (const text of PullText.describe(pulled)) yield* Console.log(text)
    if (check) {
      if (pulled.adopted.length > 0) yield* Console.log(`\n${PullText.adoptable(names)}`)
      if (requireSecrets && pulled.unset.length > 0)
        return yield* new NotPulled({
          message: `Secrets were not compared: set ${pulled.unset.join(", ")}, or leave --require-secrets out`
        })
      if (requireSecrets && pulled.hidden.length > 0)
        return yield* new NotPulled({
          message: "Secrets were not compared: use a key with the role editor, or leave --require-secrets out"
        })
      if (pulled.drift.length > 0) process.exitCode = 2
      return
    }
    if (pulled.files.length === 0 && pulled.adopted.length === 0) return
    if (pulled.adopted.length > 0) {
      yield* Console.log(`\n${PullText.adopting(pulled)}`)
      const question = `Give ${pulled.adopted.length === 1 ? "it this key" : "them these keys"}, and write the files?`
      if (!(yield* confirmed(yes, question, "--check"))) return yield* Console.log("Nothing was done.")
    }
    const texts = pulled.files.map((file) =>
      files.some(({ name }) => name === file.name)
        ? file
        : { ...file, text: PullText.heading(url, project) + file.text }
    )
    const replacements = yield* Effect.forEach(texts, replacement)
    if (Option.isSome(secretsFile))
      yield* attempt(secretsFile.value, () =>
        NewFile.write(secretsFile.value, environmentFile(pulled.variables), 0o600)
      )
    yield* Pull.adopt(pulled.adopted)
    yield* Effect.all(replacements)
    yield* Console.log("")
    for (const text of PullText.written(pulled, names, Option.getOrUndefined(secretsFile))) yield* Console.log(text)
  }).pipe(Effect.scoped, Effect.provide(layer))
})

const flag = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false))

export const pull = Command.make(
  "pull",
  {
    file: Flag.String("file").pipe(
      Flag.withAlias("f"),
      Flag.withDescription(
        "A file, or a folder with .yaml files; may be given several times. New entries go into the first one; default: kanmon.yaml"
      ),
      Flag.atLeast(0)
    ),
    url: ApplyCredential.url,
    project: ApplyCredential.project,
    check: flag("check", "Write nothing; exit with 2 if the server differs from the files"),
    managed: flag("managed", "Leave alone what was made by hand: only records that files manage already"),
    prune: flag("prune", "Remove the entries of records that are not on the server any more"),
    onCall: flag(
      "on-call",
      "Also the on-call schedules and escalation policies of the organization, which files with such sections have anyway"
    ),
    requireSecrets: flag(
      "require-secrets",
      "With --check: fail if a secret is not compared, as its variable is not set or the key may not read it"
    ),
    // Not --env-file, which Node interprets itself at any position.
    secretsFile: Flag.String("secrets-file").pipe(
      Flag.withDescription("A shell file to write the variables of secrets to; default: not written"),
      Flag.optional
    ),
    yes: flag("yes", "Do not ask")
  },
  (options) => Effect.provide(run(options), LocalPlugins.layer)
).pipe(
  Command.withDescription(
    "Writes a project's monitors, channels, maintenance windows, rules and pages to files for kanmon apply, and adopts what was made by hand"
  ),
  Command.withExamples([
    { command: "kanmon pull", description: "Writes kanmon.yaml, or brings it up to date" },
    {
      command: "kanmon pull -f monitoring/ --check",
      description: "In a pipeline: fails if somebody changed the server"
    }
  ])
)
