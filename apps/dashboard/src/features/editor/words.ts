/**
 * Labels and help texts of fields in the reader's language: the common fields, and those of Kanmon's own types. Other
 * fields use the texts of their plugin's schema.
 */
import type { CheckTypeRecord } from "@kanmon/protocol/PluginBody"
import type { FormField } from "../../forms/schema.ts"
import { t, type Text } from "../../locales/text.ts"

interface Words {
  readonly label: Text
  readonly help?: Text
}

type Fields = Readonly<Record<string, Words>>

const common: Fields = {
  name: { label: "Name" },
  interval: { label: "Interval", help: "Time between two checks." },
  retryInterval: {
    label: "Interval after a failure",
    help: "Time until a failed check is repeated, until the alert opens. Empty: the interval."
  },
  timeout: { label: "Timeout", help: "Time that a check may take." },
  regions: { label: "Regions", help: "Where to check from, separated by commas. Empty: everywhere." },
  tags: { label: "Tags", help: "Such as prod, team:payments. Lists, rules and status pages select monitors by them." },
  group: { label: "Group", help: "A folder, or a path such as Shop/Payments." },
  description: { label: "Notes", help: "What to do when it fails. Markdown." }
}

const host: Fields = { host: { label: "Host", help: "A name or an IP address." } }

const own: Readonly<Record<string, Fields>> = {
  http: {
    url: { label: "URL" },
    method: { label: "Method" },
    expectedStatus: { label: "Expected status", help: "Such as 200, 200-299, or 200, 301." },
    bodyContains: { label: "Text that must be there", help: "In the first MiB of the answer." },
    bodyNotContains: { label: "Text that must not be there", help: "In the first MiB of the answer." },
    bodyMatches: { label: "Regular expression", help: "It must match the first MiB of the answer (RE2)." },
    jsonPath: { label: "JSONPath", help: "It must select something in the answer." },
    jsonEquals: { label: "Expected JSON value", help: "What the JSONPath must select." },
    jsonAssertions: { label: "Conditions on JSON" },
    headerAssertions: { label: "Conditions on headers" },
    headers: { label: "Request headers", help: "One a line. Their values are not logged." },
    body: { label: "Request body" },
    bodyType: { label: "Kind of body" },
    authentication: { label: "Authentication" },
    username: { label: "User name" },
    password: { label: "Password" },
    token: { label: "Token" },
    clientCertificate: { label: "Client certificate", help: "PEM, with its intermediates, for mutual TLS." },
    clientKey: { label: "Key of the client certificate", help: "PEM." },
    clientKeyPassphrase: { label: "Passphrase of the key" },
    dnsOverride: { label: "Fixed IP address", help: "Connect to it instead of looking up the host name." },
    httpVersion: { label: "HTTP version" },
    followRedirects: { label: "Follow redirects", help: "At most 10." },
    tlsMinVersion: { label: "Oldest TLS version", help: "1.0 and 1.1 are for old devices. Empty: 1.2." },
    verifyTls: { label: "Verify the certificate", help: "A certificate that is not valid fails the check." },
    invert: { label: "Up when the check fails", help: "For what must not be reachable." },
    degradedThreshold: { label: "Slow from", help: "Milliseconds from which a check that passes counts as degraded." },
    sslExpiryThreshold: { label: "Warn before the certificate expires", help: "Days." },
    domainExpiryThreshold: { label: "Warn before the domain expires", help: "Days." }
  },
  dns: {
    hostname: { label: "Host name" },
    recordType: { label: "Record type" },
    expectedValue: { label: "Expected value", help: "One of the records must have it. Empty: any record will do." },
    expectedValues: { label: "Expected values", help: "Several values, instead of one." },
    match: { label: "Comparison", help: "Whether one of the values, all of them, or exactly these must be there." },
    recordContains: { label: "Record contains", help: "A part of a record, such as of a TXT." },
    resolver: { label: "Name server", help: "IP or IP:port. Empty: the one of the region." }
  },
  heartbeat: {
    interval: { label: "Expected every", help: "Time between two signals." },
    grace: {
      label: "Grace",
      help: "Time that a signal may be late. Empty: a tenth of the interval, at least one minute."
    },
    schedule: { label: "Schedule", help: "The job's cron expression, instead of an interval: 30 3 * * *" },
    timezone: { label: "Time zone", help: "The time zone of the schedule, such as Europe/Berlin." },
    maxRuntime: { label: "Longest run", help: "Time from the start of a run to its end." },
    expectFirstSignal: { label: "Expect the first signal", help: "Otherwise nothing is missed before it." },
    bodyContains: { label: "Text that must be there", help: "In the output of a successful run." },
    bodyNotContains: { label: "Text that must not be there", help: "In the output of a successful run." },
    metricRules: { label: "Rules for metrics" }
  },
  tcp: { ...host, port: { label: "Port" } },
  ping: host,
  icmp: host
}

const types: Readonly<Record<string, Words>> = {
  http: { label: "Website or API (HTTP)", help: "Requests a URL: status, content, certificate, timing." },
  dns: { label: "DNS record", help: "Looks up a name." },
  heartbeat: { label: "Job (heartbeat)", help: "Waits for signals of a job, and tells when one is missing." },
  tcp: { label: "Port (TCP)", help: "Opens a connection." },
  ping: { label: "Host (TCP port 80)", help: "Opens a connection to port 80: no ping." },
  icmp: { label: "Ping (ICMP)", help: "Latency, jitter and packet loss." }
}

/** A field with what the catalogue says about it, where it says something. */
export const inWords = (type: string, field: FormField): FormField => {
  const words = own[type]?.[field.name] ?? common[field.name]
  if (words === undefined) return field
  return { ...field, label: t(words.label), help: words.help === undefined ? undefined : t(words.help) }
}

/** A type as people call it. */
export const typeInWords = ({ summary, title, type }: Pick<CheckTypeRecord, "summary" | "title" | "type">) => {
  const words = types[type]
  return words === undefined
    ? { id: type, label: title, help: summary }
    : { id: type, label: t(words.label), help: words.help === undefined ? summary : t(words.help) }
}
