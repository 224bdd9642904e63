/**
 * Sample status pages: one with everything a page can show, and one with hostile texts. They are constant because golden
 * files depend on them.
 */
import { IncidentId, MonitorId, UpdateId } from "@kanmon/domain/Ids"
import type { IncidentStatus } from "@kanmon/domain/Incident"
import {
  barDays,
  barWindow,
  type DayOfUptime,
  type Outage,
  overallState,
  type PublicIncident,
  type PublicMonitor,
  type PublicPage
} from "@kanmon/domain/PublicPage"
import type { MonitorStatus } from "@kanmon/domain/Status"
import { dayMillis, type EpochMillis, utcDay } from "@kanmon/domain/Timestamp"

/** When the samples were last rendered. */
export const sampleNow: EpochMillis = Date.parse("2026-11-20T12:00:00.000Z")

const hours = (count: number): number => count * 3_600_000
const ago = (count: number): EpochMillis => sampleNow - hours(count)

const days = (outages: ReadonlyArray<Outage>, knownDays: number): ReadonlyArray<DayOfUptime> => {
  const { from } = barWindow(sampleNow)
  return Array.from({ length: barDays }, (_, index) => {
    const begin = from + index * dayMillis
    const downtime = outages.reduce(
      (sum, { endedAt, startedAt }) =>
        sum + Math.max(0, Math.min(endedAt ?? sampleNow, begin + dayMillis) - Math.max(startedAt, begin)) / 1000,
      0
    )
    const known = index >= barDays - knownDays
    return {
      date: utcDay(begin),
      uptime: known ? 100 - (downtime / 86_400) * 100 : null,
      downtime: known ? downtime : 0
    }
  })
}

/** A monitor with 90 known days and no outages, unless overridden. */
export const sampleMonitor = (
  suffix: string,
  name: string,
  status: MonitorStatus,
  parts: Partial<PublicMonitor> & { readonly knownDays?: number } = {}
): PublicMonitor => {
  const { knownDays = barDays, outages = [], ...rest } = parts
  const known = knownDays === 0 ? null : 100
  return {
    id: MonitorId.make(`mon_${suffix}`),
    name,
    displayGroup: null,
    status,
    since: knownDays === 0 ? null : ago(240),
    uptime24h: known,
    uptime7d: known,
    uptime30d: known,
    uptime90d: known,
    days: days(outages, knownDays),
    outages,
    responseTimes: Array.from({ length: 24 }, (_, hour) =>
      knownDays === 0 || hour === 3 ? null : 80 + ((hour * 7) % 40)
    ),
    ...rest
  }
}

type Entry = readonly [hoursAgo: number, status: IncidentStatus, message: string]

/** An incident with this timeline (newest first), which starts with its oldest entry. */
export const sampleIncident = (
  suffix: string,
  title: string,
  entries: ReadonlyArray<Entry>,
  parts: Partial<PublicIncident> = {}
): PublicIncident => {
  const newest = entries[0] ?? ([1, "investigating", ""] as const)
  return {
    id: IncidentId.make(`inc_${suffix}`),
    title,
    status: newest[1],
    monitorIds: [],
    maintenance: false,
    phase: null,
    scheduledStart: null,
    scheduledEnd: null,
    startedAt: ago((entries.at(-1) ?? newest)[0]),
    resolvedAt: newest[1] === "resolved" ? ago(newest[0]) : null,
    updates: entries.map(([at, status, message], index) => ({
      id: UpdateId.make(`upd_${suffix}${entries.length - index}`),
      status,
      message,
      createdAt: ago(at)
    })),
    updatedAt: ago(newest[0]),
    ...parts
  }
}

const shop = sampleMonitor("01shop", "Shop", "up", {
  displayGroup: "Customers",
  uptime30d: 99.9931,
  uptime90d: 99.9977,
  outages: [{ startedAt: ago(150), endedAt: ago(149.5) }]
})
const checkout = sampleMonitor("02checkout", "Checkout", "down", {
  displayGroup: "Customers",
  since: ago(2),
  uptime24h: 91.6667,
  uptime7d: 98.8095,
  uptime30d: 99.7222,
  uptime90d: 99.9074,
  outages: [{ startedAt: ago(2), endedAt: null }]
})
const search = sampleMonitor("03search", "Search", "degraded", { displayGroup: "Customers", since: ago(5) })
const api = sampleMonitor("04api", "API for partners", "maintenance", { displayGroup: "Partners", since: ago(0.5) })
const webhooks = sampleMonitor("05webhooks", "Webhooks", "up", { displayGroup: "Partners", knownDays: 12 })
const mail = sampleMonitor("06mail", "Mail", "paused", { knownDays: 40, uptime24h: null })
const docs = sampleMonitor("07docs", "Documentation", "pending", { knownDays: 0 })

const monitors = [shop, checkout, search, api, webhooks, mail, docs]

const incidents = [
  sampleIncident(
    "10payments",
    "Payments fail for some cards",
    [
      [0.25, "monitoring", "A fix is out.\nWe watch whether it holds."],
      [1, "identified", "Our provider refuses cards of one bank."],
      [1.75, "investigating", "Some payments fail. We are looking into it."]
    ],
    { monitorIds: [checkout.id], startedAt: ago(2) }
  ),
  sampleIncident("11slow", "Search is slow", [[4.5, "investigating", ""]], { monitorIds: [search.id] })
]

const maintenances = [
  sampleIncident("20database", "Database upgrade", [[30, "identified", "Partners cannot reach the API meanwhile."]], {
    monitorIds: [api.id],
    maintenance: true,
    phase: "in_progress",
    scheduledStart: ago(0.5),
    scheduledEnd: ago(-1.5),
    startedAt: ago(0.5),
    updatedAt: ago(0.5)
  }),
  sampleIncident("21move", "We move to another data centre", [[48, "identified", "Nothing should be noticed."]], {
    monitorIds: [shop.id, checkout.id, search.id],
    maintenance: true,
    phase: "scheduled",
    scheduledStart: ago(-72),
    scheduledEnd: ago(-76),
    startedAt: ago(-72)
  })
]

const history = [
  sampleIncident(
    "30shop",
    "The shop was down",
    [
      [149, "resolved", "It is up again."],
      [149.9, "investigating", "The shop does not answer."]
    ],
    { monitorIds: [shop.id] }
  ),
  sampleIncident(
    "31certificates",
    "New certificates",
    [
      [400, "resolved", "All done."],
      [401, "monitoring", "The new ones are in place."],
      [402, "identified", "We begin."],
      [500, "identified", "We renew all certificates."]
    ],
    {
      monitorIds: [shop.id, api.id],
      maintenance: true,
      phase: "completed",
      scheduledStart: ago(403),
      scheduledEnd: ago(399),
      startedAt: ago(403)
    }
  )
]

/** A shop's page: groups, every status, open and resolved incidents, and past, current and future windows. */
export const samplePage: PublicPage = {
  name: "Acme",
  slug: "acme",
  url: "https://status.acme.example",
  updatedAt: sampleNow,
  status: overallState(monitors, [...incidents, ...maintenances]),
  monitors,
  incidents,
  maintenances,
  history
}

/** A page on its first day. */
export const emptyPage: PublicPage = {
  ...samplePage,
  name: "New",
  slug: "new",
  url: "https://kanmon.example/status/new",
  status: overallState([], []),
  monitors: [],
  incidents: [],
  maintenances: [],
  history: []
}

/** Texts that break careless renderers. */
export const hostileTexts: Readonly<Record<string, string>> = {
  script: `<script>alert("1")</script><img src=x onerror='alert(2)'>`,
  cdata: "a ]]> b ]]> c <![CDATA[ d ]]>",
  entities: "Q&A &amp; &lt;b&gt; &#60; &bogus; AT&T",
  comment: "<!-- --> <?xml version='1.0'?> <!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]> &e;",
  quotes: `"double" 'single' \`back\` ${"${x}"} {{y}}`,
  lines: "one\ntwo\r\nthree\rfour\u2028five\tsix",
  controls: "bell\u0007 null\u0000 escape\u001b[31m c1\u0085 noncharacters\uFFFE\uFFFF",
  surrogates: "lone \uD800 high, lone \uDC00 low",
  emoji: "👩‍👩‍👧‍👦 🏳️‍🌈 🇯🇵 family",
  rightToLeft: "מערכת התשלומים نظام الدفع",
  turned: "safe \u202Egnp.exe \u2066isolated",
  stacked: `Z${"\u0301".repeat(300)}algo`,
  long: "ten kilobytes ".repeat(740),
  spaces: "   "
}

/** A page whose names, groups, titles and messages are all {@link hostileTexts}. */
export const hostilePage: PublicPage = (() => {
  const texts = Object.entries(hostileTexts)
  const monitors = texts.map(([key, text], index) =>
    sampleMonitor(`h${key}`, text, index % 2 === 0 ? "down" : "up", { displayGroup: index % 3 === 0 ? text : null })
  )
  const incidents = texts.map(([key, text]) =>
    sampleIncident(
      `h${key}`,
      text,
      [
        [1, "identified", text],
        [2, "investigating", text]
      ],
      { monitorIds: [MonitorId.make(`mon_h${key}`)] }
    )
  )
  return {
    ...emptyPage,
    name: hostileTexts["script"]! + hostileTexts["cdata"]!,
    slug: "hostile",
    url: "https://kanmon.example/status/hostile",
    status: overallState(monitors, incidents),
    monitors,
    incidents
  }
})()
