/** Reads what a person typed to say what should be watched. Pure. */

/** A type of monitor that the text may mean, with the values of its fields as texts. */
export interface Watched {
  readonly type: "http" | "tcp" | "ping" | "icmp" | "dns" | "heartbeat"
  readonly fields: Readonly<Record<string, string>>
}

const minute = 60
const hour = 60 * minute
const day = 24 * hour

const hostPattern = /^[a-z0-9_](?:[\w-]*[a-z0-9])?(?:\.[a-z0-9_](?:[\w-]*[a-z0-9])?)+$/i
const addressPattern = /^(?:\d{1,3}\.){3}\d{1,3}$/
const cronField = "[\\d*][\\d*/,LW#-]*|(?:[A-Za-z]{3}(?:[-,][A-Za-z]{3})*)"
const cronPattern = new RegExp(`^((?:(?:${cronField})\\s+){4}(?:${cronField}))(?:\\s+(\\S.*))?$`)

const shorthands: Readonly<Record<string, number>> = {
  "@hourly": hour,
  "@daily": day,
  "@midnight": day,
  "@weekly": 7 * day
}

const units: ReadonlyArray<readonly [RegExp, number]> = [
  [/^(?:min|mins|minutes?|minuten?|m)$/i, minute],
  [/^(?:h|hours?|stunden?)$/i, hour],
  [/^(?:d|days?|tage?)$/i, day],
  [/^(?:weeks?|wochen?)$/i, 7 * day]
]

const rhythms: ReadonlyArray<readonly [RegExp, number]> = [
  [/\b(?:hourly|stündlich)/i, hour],
  [/\b(?:daily|nightly|every (?:day|night)|täglich|nächtlich|jede nacht|jeden tag)/i, day],
  [/\b(?:weekly|wöchentlich)/i, 7 * day]
]

const jobWords = /\b(?:jobs?|cron(?:jobs?)?|heartbeat|backups?|sicherung|scheduled|worker|batch|script|skript)\b/i

const unitOf = (word: string): number | undefined => units.find(([pattern]) => pattern.test(word))?.[1]

/** The seconds between two runs that words such as "every 5 minutes" name. */
const rhythmOf = (text: string): number | undefined => {
  const counted = /\b(?:every|each|alle)\s+(\d{1,4})\s*([a-z]+)/i.exec(text)
  const unit = counted === null ? undefined : unitOf(counted[2]!)
  if (counted !== null && unit !== undefined && Number(counted[1]) > 0) return Number(counted[1]) * unit
  const one = /\b(?:every|each|jeden?|jedes)\s+([a-z]+)/i.exec(text)
  return (one === null ? undefined : unitOf(one[1]!)) ?? rhythms.find(([pattern]) => pattern.test(text))?.[1]
}

/** The program that a line of a crontab runs, without its folder. */
const programOf = (command: string): string => command.split(/\s+/)[0]!.split("/").at(-1)!

const jobOf = (text: string): Watched | undefined => {
  const cron = cronPattern.exec(text)
  if (cron !== null)
    return {
      type: "heartbeat",
      fields: {
        name: cron[2] === undefined ? "Job" : programOf(cron[2]) || "Job",
        schedule: cron[1]!.split(/\s+/).join(" ")
      }
    }
  const [first = "", ...rest] = text.split(/\s+/)
  const short = shorthands[first.toLowerCase()]
  if (short !== undefined)
    return {
      type: "heartbeat",
      fields: { name: rest.length === 0 ? "Job" : programOf(rest.join(" ")), interval: String(short) }
    }
  const rhythm = rhythmOf(text)
  if (rhythm === undefined && !jobWords.test(text)) return undefined
  const name = text.charAt(0).toUpperCase() + text.slice(1, 100)
  return { type: "heartbeat", fields: { name, interval: String(rhythm ?? day) } }
}

const urlOf = (text: string): Watched | undefined =>
  URL.canParse(text) ? { type: "http", fields: { url: text, name: new URL(text).host } } : undefined

/** The types that the text may mean, the likeliest first; none when it says nothing that could be watched. */
export const watched = (text: string): ReadonlyArray<Watched> => {
  const typed = text.trim()
  if (/^https?:\/\/[^\s/]+\S*$/i.test(typed)) return [urlOf(typed)].filter((found) => found !== undefined)
  const port = /^([\w.-]+|\[[\da-f:]+\]):(\d{1,5})$/i.exec(typed)
  if (port !== null)
    return Number(port[2]) >= 1 && Number(port[2]) <= 65_535
      ? [{ type: "tcp", fields: { host: port[1]!, port: port[2]!, name: typed } }]
      : []
  const [host = "", ...path] = typed.split("/")
  if (hostPattern.test(host) && !/\s/.test(typed)) {
    const http: Watched = { type: "http", fields: { url: `https://${typed}`, name: typed } }
    if (path.length > 0) return [http]
    const others: ReadonlyArray<Watched> = [
      { type: "ping", fields: { host, name: host } },
      { type: "icmp", fields: { host, name: host } }
    ]
    // An address has no name to look up.
    return addressPattern.test(host)
      ? [http, ...others]
      : [http, ...others, { type: "dns", fields: { hostname: host, recordType: "A", name: host } }]
  }
  const job = jobOf(typed)
  return job === undefined ? [] : [job]
}
