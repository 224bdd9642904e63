/** The ledger as a person reads it. */
import type { AlertAccount } from "./AlertLedger.ts"
import type { ChangeAccount } from "./ChangeLedger.ts"
import type { SlotAccount } from "./SlotLedger.ts"
import type { Takeover } from "./Takeover.ts"
import type { TruthAccount } from "./TruthLedger.ts"

export interface Accounts {
  readonly setting: string
  readonly slots: SlotAccount
  /** Observations of slots that were stored before. */
  readonly repeated: number
  readonly truth: TruthAccount
  readonly changes: ChangeAccount
  /** Outages that are dated otherwise than first seen. Where another probe takes over, they may be, by a look. */
  readonly dating: ReadonlyArray<string>
  readonly alerts: AlertAccount
  readonly takeovers: ReadonlyArray<Takeover>
  /** What the processes counted, by name. */
  readonly counted: Readonly<Record<string, number>>
  readonly customer: {
    readonly answered: number
    readonly unanswered: number
    readonly accepted: number
    readonly missing: ReadonlyArray<string>
    readonly twice: ReadonlyArray<string>
  }
}

const most = 20

export const print = (accounts: Accounts): string => {
  const { alerts, changes, counted, customer, dating, repeated, setting, slots, takeovers, truth } = accounts
  const lateness = [...changes.lateness].sort((one, other) => one - other)
  const share = (part: number): string => seconds(lateness[Math.floor((lateness.length - 1) * part)])
  return [
    "",
    `Fault ledger: ${setting}`,
    "",
    ...table([
      ["Slots due", slots.due],
      ["  stored", slots.stored],
      ["  probe away", slots.absent],
      ["  lost with a killed probe", slots.lostInHand],
      ["  a new monitor's first check stood in", slots.stoodIn],
      ["  skipped (the probes counted)", `${slots.skipped} (${counted["skipped"] ?? 0})`],
      ["  lost", slots.lost.length],
      ["  stored twice", slots.twice.length],
      ["  checked again", repeated],
      ["Observations true", truth.true],
      [
        "  unknown",
        Object.entries(truth.unknown)
          .map(([code, count]) => `${count} ${code}`)
          .join(", ") || 0
      ],
      ["  false", truth.false.length],
      ["Outages", changes.windows],
      ["  reported once, in time", changes.told],
      ["  dated after the fact", `half by ${share(0.5)}, 99 of 100 by ${share(0.99)}, all by ${share(1)}`],
      ["  dated otherwise than first seen", dating.length],
      ["  unknown, without a check", changes.blind],
      ["  wrong", changes.wrong.length],
      ["Alerts", alerts.alerts],
      ["  notifications", alerts.notices],
      ["  arrivals", alerts.received],
      ["  repeated after a fault", alerts.repeated],
      ["  wrong", alerts.wrong.length],
      ["Customer's requests answered", customer.answered],
      ["  not answered", customer.unanswered],
      ["  monitors accepted", customer.accepted],
      ["  of them missing, or twice", `${customer.missing.length}, ${customer.twice.length}`]
    ]),
    "",
    ...Object.entries(counted).map(([name, count]) => `Counted by the processes: ${name} ${count}`),
    "",
    "Probes away                     monitors  noticed   all asked  by others  longest gap",
    ...takeovers.map(
      ({ absence, complete, longestGap, monitors, noticed, taken }) =>
        `  ${`${absence.name} ${absence.how} ${seconds((absence.to ?? Date.now()) - absence.from)}`.padEnd(28)}` +
        `${String(monitors).padStart(10)}${seconds(noticed).padStart(9)}${seconds(complete).padStart(12)}` +
        `${String(taken).padStart(11)}${seconds(longestGap).padStart(13)}`
    ),
    "",
    ...[
      ["lost", slots.lost],
      ["stored twice", slots.twice],
      ["false", truth.false],
      ["wrong status history", changes.wrong],
      ["wrong alerts", alerts.wrong],
      ["missing", customer.missing],
      ["twice", customer.twice]
    ].flatMap(([title, lines]) => examples(title as string, lines as ReadonlyArray<string>)),
    ""
  ].join("\n")
}

const seconds = (millis: number | undefined): string => (millis === undefined ? "-" : `${(millis / 1000).toFixed(1)} s`)

const table = (rows: ReadonlyArray<readonly [string, string | number]>): ReadonlyArray<string> =>
  rows.map(([name, value]) => `${name.padEnd(46)}${value}`)

const examples = (title: string, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.length === 0
    ? []
    : [`${title}:`, ...lines.slice(0, most).map((line) => `  ${line}`), ...(lines.length > most ? ["  …"] : []), ""]
