/** Finds settings that two processes of one installation read differently. Pure. */
import { Schema } from "effect"

/** A process, with a fingerprint for each setting that its roles read and that must be the same everywhere. */
export const RunningProcess = Schema.Struct({
  id: Schema.String,
  roles: Schema.Array(Schema.String),
  settings: Schema.Record(Schema.String, Schema.String)
})
export type RunningProcess = typeof RunningProcess.Type

export interface Disagreement {
  readonly setting: string
  /** The other process. */
  readonly process: RunningProcess
}

/** The settings that both processes read, with different values, by name. */
export const disagreements = (
  own: RunningProcess,
  others: ReadonlyArray<RunningProcess>
): ReadonlyArray<Disagreement> =>
  others
    .filter(({ id }) => id !== own.id)
    .flatMap((process) =>
      Object.keys(own.settings)
        .filter(
          (setting) => process.settings[setting] !== undefined && process.settings[setting] !== own.settings[setting]
        )
        .map((setting) => ({ setting, process }))
    )
    .toSorted(
      (one, other) =>
        one.setting.localeCompare(other.setting, "en") || one.process.id.localeCompare(other.process.id, "en")
    )

/** A disagreement as a line for the operator. */
export const explain = (own: RunningProcess, { process, setting }: Disagreement): string =>
  `${setting} of this process (${own.roles.join(", ")}) differs from that of another one (${process.roles.join(", ")}, ${process.id}). Give both the same value.`
