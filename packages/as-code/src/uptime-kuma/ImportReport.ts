/** The output of `kanmon import uptime-kuma`: converted records, omitted records, and the next commands. */
import { counted } from "@kanmon/domain/Counted"
import { keptOut } from "../Written.ts"
import type * as Backup from "./Backup.ts"
import type { Note } from "./Draft.ts"
import { isGroup } from "./Groups.ts"
import type * as Import from "./Import.ts"

export const report = (
  { counts, report: notes, variables, windows }: Import.Imported,
  backup: Backup.Backup
): string => {
  const lines = (of: (note: Note) => boolean): ReadonlyArray<string> =>
    notes.filter(of).flatMap(({ about, notes: said }) => said.map((text) => `  ${about}: ${text}`))
  const pages =
    backup.database === undefined ? "" : `, ${counted(counts.pages, "status page")} for ${backup.database.pages.length}`
  const windowed =
    windows.length === 0
      ? ""
      : `, ${counted(windows.length, "maintenance window")} for ${backup.database?.windows.length ?? 0}`
  const part = (title: string, all: ReadonlyArray<string>) => (all.length === 0 ? [] : ["", title, ...all])
  return [
    `Carried over ${counted(counts.monitors, "monitor")} for ${backup.monitors.filter((one) => !isGroup(one)).length}, ${counted(counts.channels, "channel")} for ${backup.notifications.length}${pages}${windowed}, and ${counted(counts.rules, "alert rule")} for who was told of what.`,
    ...part(
      "Left out:",
      lines(({ leftOut }) => leftOut)
    ),
    ...part(
      "Carried over, but look at it:",
      lines(({ review }) => review)
    ),
    ...part(
      "To know:",
      lines(({ leftOut, review }) => !leftOut && !review)
    ),
    ...part(
      "Secrets are not in the file; it needs these in the environment:",
      variables.map(({ name, place }) => `  ${name}  (${place})`)
    )
  ].join("\n")
}

/** The commands that follow; without its secrets, the plan would fail. The default rule of a project is in no file yet. */
export const nextSteps = (file: string, secretsFile: string | undefined, secrets: number): string => {
  const apply = `kanmon apply -f ${file} --dry-run`
  const adopt = `When it is applied, kanmon pull -f ${file} adopts the default rule of the project; until then pull --check finds that rule, and exits with 2.`
  if (secretsFile !== undefined)
    return `\nWrote ${file} and ${secretsFile}. Next:\n  set -a; . ${shellPath(secretsFile)}; set +a\n  ${apply}\n${adopt}\n${keptOut(secretsFile)}`
  const first = secrets === 0 ? "" : "set the variables above, then "
  return `\nWrote ${file}. Next: ${first}${apply}\n${adopt}`
}

/** A shell looks up a bare name on its PATH. */
const shellPath = (file: string): string => (file.includes("/") ? file : `./${file}`)
