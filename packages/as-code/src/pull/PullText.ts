/** The output of `kanmon pull`, without secrets. */
import type { Kind } from "../Resource.ts"
import { counted } from "@kanmon/domain/Counted"
import { changeText, notCompared } from "../PlanText.ts"
import { keptOut } from "../Written.ts"
import type { Drift } from "./Comparing.ts"
import type { Pulled } from "./Pull.ts"

const named = ({ key, kind }: { readonly kind: Kind; readonly key: string }): string => `${kind} ${key}`

const line = (drift: Drift): ReadonlyArray<string> => {
  switch (drift.what) {
    case "added":
      return [`  + ${named(drift)}  ${JSON.stringify(drift.title)}${drift.byHand ? ", made by hand" : ""}`]
    case "changed":
      return [`  ~ ${named(drift)}`, ...drift.changes.map((change) => `      ${changeText(change)}`)]
    case "gone":
      return [
        drift.removed
          ? `  - ${named(drift)}, which is not on the server any more`
          : `  ! ${named(drift)} is not on the server any more; its entry stays. --prune removes it, kanmon apply creates it again`
      ]
    case "orphaned":
      return [
        drift.removed
          ? `  - ${named(drift)}, because its monitors or channels were deleted on the server`
          : `  ! ${named(drift)} names only monitors or channels that were deleted on the server; its entry stays, and kanmon apply gives it those of the file`
      ]
    case "environment":
      return [
        `  ! ${named(drift)}: ${drift.field} has another value on the server than its variable in the environment`
      ]
  }
}

/** One line for each difference between the files and the server, and for what files cannot hold. */
export const describe = ({ adopted, drift, hidden, leftOut, unchanged, unset }: Pulled): ReadonlyArray<string> => {
  const count = (what: Drift["what"]): number => drift.filter((one) => one.what === what).length
  const gone = count("gone") + count("orphaned")
  return [
    ...drift.flatMap(line),
    ...(drift.length > 0 ? [""] : []),
    drift.length === 0
      ? `The files are as the server is: ${unchanged} unchanged.`
      : `${count("added")} to add (${adopted.length} of them made by hand), ${count("changed")} to change, ${gone} gone, ${unchanged} unchanged.`,
    ...(leftOut.length === 0
      ? []
      : ["", "Left out:", ...leftOut.map(({ kind, title, why }) => `  ${kind} ${JSON.stringify(title)}: ${why}`)]),
    ...(unset.length === 0 ? [] : ["", `Not compared, because these variables are not set: ${unset.join(", ")}.`]),
    ...notCompared(hidden)
  ]
}

/** The effect on records that were made by hand, shown in advance. */
export const adopting = ({ adopted }: Pick<Pulled, "adopted">): string =>
  adopted.length === 1
    ? "1 record was made by hand: it gets a key on the server, by which files find it."
    : `${adopted.length} records were made by hand: they get keys on the server, by which files find them.`

/** The commands after a comparison that found records made by hand, such as the default rule of a new project. */
export const adoptable = (given: ReadonlyArray<string>): string =>
  `kanmon pull ${inShell(given)} adopts what was made by hand: it gets keys on the server, and entries in the files. --check --managed leaves it alone.`

/**
 * The written files and their requirements. The next command names the files and folders as they were given: a plan of
 * only some of them would treat the others as removed.
 */
export const written = (
  { adopted, files, variables }: Pulled,
  given: ReadonlyArray<string>,
  secretsFile: string | undefined
): ReadonlyArray<string> => {
  const names = files.map(({ name }) => name).join(", ")
  const keys = adopted.length === 0 ? "" : ` ${counted(adopted.length, "record has a key", "records have keys")} now.`
  const apply = `kanmon apply ${inShell(given)} --dry-run finds nothing to do`
  return [
    `Wrote ${names}.${keys}`,
    ...(variables.length === 0
      ? [`${apply}.`]
      : [
          "Secrets are not in the files, which need these in the environment:",
          ...variables.map(
            ({ name, place, value }) =>
              `  ${name}  (${place}${value === undefined ? "; the server does not return it" : ""})`
          ),
          secretsFile === undefined
            ? `When they are set, ${apply}.`
            : `${secretsFile} has those that the server returns; fill in the others. Then ${apply}.`,
          ...(secretsFile === undefined ? [] : [keptOut(secretsFile)])
        ])
  ]
}

const inShell = (files: ReadonlyArray<string>): string => files.map((name) => `-f ${shellWord(name)}`).join(" ")

/** A name as a shell reads it. */
const shellWord = (name: string): string =>
  /^[\w./~+:@%,-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`

/** The beginning of a new file. */
export const heading = (url: string, project: string | undefined): string =>
  [
    `# yaml-language-server: $schema=${url.replace(/\/$/, "")}/api/v1/kanmon.schema.json`,
    `# ${project === undefined ? "A project" : `The project ${project.replaceAll(/\p{Cc}/gu, " ")}`} at ${url}, by kanmon pull.`,
    "",
    ""
  ].join("\n")
