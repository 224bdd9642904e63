/** Reads what a person typed to say what should be watched. Pure. */

/** A type of monitor that the text may mean, with the values of its fields as texts. */
export interface Watched {
  readonly type: "http" | "tcp" | "ping" | "icmp" | "dns" | "heartbeat"
  readonly fields: Readonly<Record<string, string>>
}

const minute = 60
const hour = 60 * minute
const day = 24 * hour

const label = "[\\p{L}\\p{N}_](?:[\\p{L}\\p{N}\\p{M}_-]*[\\p{L}\\p{N}\\p{M}])?"
const hostPattern = new RegExp(`^${label}(?:\\.${label})*$`, "u")
const addressPattern = /^(?:\d{1,3}\.){3}\d{1,3}$/
/**
 * Names and addresses of local networks, where servers seldom have certificates: without a dot, or reserved for private
 * use.
 */
const localPattern =
  /^(?:[^.]+|(?:.+\.)?(?:localhost|local|lan|internal|home\.arpa)|(?:127|10)\.[\d.]+|192\.168\.[\d.]+|172\.(?:1[6-9]|2\d|3[01])\.[\d.]+|169\.254\.[\d.]+)$/i
const localAddressPattern = /^(?:::1|f[cd][\da-f]{2}:.*|fe[89ab][\da-f]:.*)$/i
/** Ports where servers speak TLS. */
const securePorts: ReadonlySet<number> = new Set([443, 8443])
const cronField = "[\\d*][\\d*/,-]*|(?:[A-Za-z]{3}(?:[-,][A-Za-z]{3})*)"
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

/** A host that was typed: a name, as DNS has it, or an address, without the brackets of URLs. */
interface Host {
  readonly name: string
  readonly isAddress: boolean
  readonly isLocal: boolean
}

const hostOf = (text: string): Host | undefined => {
  const address = /^\[?([\da-f.]*:[\da-f:.]*)\]?$/i.exec(text)?.[1]
  if (address !== undefined)
    return URL.canParse(`http://[${address}]`) && text.startsWith("[") === text.endsWith("]")
      ? { name: address.toLowerCase(), isAddress: true, isLocal: localAddressPattern.test(address) }
      : undefined
  if (addressPattern.test(text))
    return URL.canParse(`http://${text}`)
      ? { name: text, isAddress: true, isLocal: localPattern.test(text) }
      : undefined
  // A number alone is no name.
  if (!hostPattern.test(text) || !/\p{L}/u.test(text) || !URL.canParse(`http://${text}`)) return undefined
  const { hostname } = new URL(`http://${text}`)
  // Names of other scripts are looked up by their ASCII form.
  const name = /^[\w.-]+$/.test(text) ? text : hostname
  return { name, isAddress: false, isLocal: localPattern.test(name) }
}

/** The host as it stands in a URL. */
const inUrl = ({ name }: Host, typed: string): string => (name.includes(":") ? `[${name}]` : typed)

/** `host`, `host/path`, `host:port` or `host:port/path`, with IPv6 addresses in brackets, or bare where there is nothing else. */
const placeOf = (typed: string): ReadonlyArray<Watched> | undefined => {
  const parts = /^(\[[^\]]*\]|[^/?#:\s]+)(?::(\d{1,5}))?([/?#]\S*)?$/u.exec(typed)
  const text = parts?.[1] ?? typed
  const host = hostOf(text)
  if (host === undefined) return undefined
  const [port, path = ""] = [parts?.[2], parts?.[3]]
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return []
  if (port !== undefined && path === "") return [{ type: "tcp", fields: { host: host.name, port, name: typed } }]
  const isSecure = port === undefined ? !host.isLocal : securePorts.has(Number(port))
  const url = `http${isSecure ? "s" : ""}://${inUrl(host, text)}${port === undefined ? "" : `:${port}`}${path}`
  const http: Watched = { type: "http", fields: { url, name: typed } }
  if (path !== "") return [http]
  return [
    http,
    { type: "ping", fields: { host: host.name, name: typed } },
    { type: "icmp", fields: { host: host.name, name: typed } },
    // An address has no name to look up.
    ...(host.isAddress ? [] : [{ type: "dns" as const, fields: { hostname: host.name, recordType: "A", name: typed } }])
  ]
}

/** The types that the text may mean, the likeliest first; none when it says nothing that could be watched. */
export const watched = (text: string): ReadonlyArray<Watched> => {
  const typed = text.trim()
  if (/^https?:\/\/[^\s/]\S*$/i.test(typed)) return [urlOf(typed)].filter((found) => found !== undefined)
  // A single word may name a job; no host is called "nightly".
  const job = /^[^.:/\s]+$/.test(typed) || /\s/.test(typed) ? jobOf(typed) : undefined
  if (job !== undefined) return [job]
  return placeOf(typed) ?? []
}
