/** Notices of every event and with hostile texts, for the contract suite and for golden files. */
import type { Message } from "@kanmon/core/Channel"
import type { Notice } from "@kanmon/core/Notice"

const at = Date.parse("2026-11-20T21:00:00.000Z")

const base: Notice = {
  id: "ntc_01k9zq3c5w7d8e9f0g1h2j3k4m",
  alertId: "alr_01k9zq3c5w7d8e9f0g1h2j3k4n",
  event: "monitor_down",
  severity: "critical",
  at,
  project: { id: "prj_01k9zq0000000000000000000a", name: "Shop" },
  rule: { id: "rul_01k9zq0000000000000000000b", name: "Pages at night" },
  monitor: {
    id: "mon_01k9zq0000000000000000000c",
    name: "shop api",
    type: "http",
    target: "https://shop.example.test/health"
  },
  reason: "The answer has status 503 instead of 200-299",
  startedAt: at - 30_000,
  durationSeconds: null,
  regions: [
    {
      region: "eu-west",
      status: "down",
      responseTime: 812.4,
      failure: { code: "status_mismatch", message: "The answer has status 503 instead of 200-299" }
    },
    {
      region: "us-east",
      status: "down",
      responseTime: 901,
      failure: { code: "status_mismatch", message: "The answer has status 503 instead of 200-299" }
    },
    { region: "ap-south", status: "up", responseTime: 240, failure: null }
  ],
  region: "eu-west",
  statusCode: 503,
  responseTime: 812.4,
  timing: { dns: 3.1, connect: 20.4, tls: 31, firstByte: 750.2, download: 7.7 },
  expiresAt: null,
  overtakesOpening: false,
  reminder: false,
  links: { monitor: "https://kanmon.example.test/api/v1/monitors/mon_01k9zq0000000000000000000c" }
}

const quiet = { regions: [], region: null, statusCode: null, responseTime: null, timing: {} } as const

/** Without the facts that a check may leave out. */
const sparse = (notice: Partial<Notice>): Notice => ({ ...base, ...quiet, ...notice })

const recovered = {
  regions: base.regions.map((region) => ({ ...region, status: "up" as const, failure: null })),
  statusCode: 200,
  durationSeconds: 754
}

const hostileText =
  `</b><script>alert(1)</script> *bold* _it_ ~s~ \`code\` [link](http://evil.test) <!channel> @everyone @here <@U1> ` +
  `{{x}} \\ " ' & 100% 🚒👩‍👩‍👧‍👦 \u202Egnp.exe\u202C مرحبا\r\nBcc: victim@example.test\n\u0000\u0007# head | cell`

/** By the name of the golden file. */
export const notices = {
  down: base,
  up: { ...base, ...recovered, id: "ntc_02", event: "monitor_up", reason: "All checks pass again" },
  upOvertaking: {
    ...base,
    ...recovered,
    id: "ntc_03",
    event: "monitor_up",
    reason: "All checks pass again",
    overtakesOpening: true
  },
  acknowledgeable: {
    ...base,
    id: "ntc_21",
    acknowledgeUrl:
      "https://kanmon.example.test/api/v1/public/acknowledgements/01k9zq3c5w7d8e9f0g1h2j3k4m.tgd3hc.x2V9sKq7Lr4TzYb8WmN1cA"
  },
  grouped: {
    ...base,
    id: "ntc_22",
    group: Array.from({ length: 120 }, (_, index) => ({
      alertId: `alt_${index}`,
      event: "monitor_down" as const,
      severity: base.severity,
      monitor: { ...base.monitor, id: `mon_${index}`, name: `shop <${index}> *api*` },
      reason: base.reason,
      startedAt: base.startedAt
    }))
  },
  paged: {
    ...base,
    id: "ntc_23",
    zone: "Europe/Berlin",
    why: [
      {
        kind: "on_call",
        name: "Primary <night>",
        from: null,
        until: Date.parse("2026-11-23T08:00:00.000Z"),
        note: null,
        policy: "Shop & more",
        step: 1
      }
    ]
  },
  /** Two people who read other languages. */
  pagedGerman: {
    ...base,
    id: "ntc_25",
    zone: "Europe/Berlin",
    language: "de",
    acknowledgeUrl:
      "https://kanmon.example.test/api/v1/public/acknowledgements/01k9zq3c5w7d8e9f0g1h2j3k4p.tgd3hc.x2V9sKq7Lr4TzYb8WmN1cA",
    why: [
      {
        kind: "next_on_call",
        name: "Primary <night>",
        from: Date.parse("2026-11-23T08:00:00.000Z"),
        until: null,
        note: null,
        policy: "Shop & more",
        step: 1
      }
    ]
  },
  recoveredJapanese: {
    ...base,
    ...recovered,
    id: "ntc_26",
    event: "monitor_up",
    zone: "Asia/Tokyo",
    language: "ja",
    reason: "All checks pass again",
    explanation: { code: "all_pass", parameters: {} }
  },
  staleJapanese: sparse({
    id: "ntc_27",
    event: "monitor_stale",
    severity: "warning",
    zone: "Asia/Tokyo",
    language: "ja",
    reason: "No check has had a result since 2026-11-20 20:55:30 UTC, so its status is unknown",
    explanation: { code: "no_result_since", parameters: { since: "2026-11-20T20:55:30.000Z" } }
  }),
  /** Why the person is paged stands beside a long answer of the target. */
  asked: {
    ...base,
    id: "ntc_24",
    reason: "The answer is too long. ".repeat(150),
    acknowledgeUrl:
      "https://kanmon.example.test/api/v1/public/acknowledgements/01k9zq3c5w7d8e9f0g1h2j3k4n.tgd3hc.x2V9sKq7Lr4TzYb8WmN1cA",
    why: [
      {
        kind: "asked",
        name: `Ada ${hostileText}`,
        from: null,
        until: null,
        note: "Please look at the gateway. ".repeat(17),
        policy: null,
        step: null
      }
    ]
  },
  reminder: { ...base, id: "ntc_18", reminder: true, at: at + 3_600_000 },
  degraded: {
    ...base,
    id: "ntc_04",
    event: "monitor_degraded",
    severity: "warning",
    reason: "The answer took 2400 ms, more than 2000 ms",
    statusCode: 200,
    regions: base.regions.map((region) => ({
      ...region,
      status: "degraded" as const,
      failure: { code: "slow", message: "The answer took 2400 ms, more than 2000 ms" }
    }))
  },
  degradedRecovered: {
    ...base,
    ...recovered,
    id: "ntc_05",
    event: "monitor_degraded_recovered",
    severity: "warning",
    reason: ""
  },
  stale: sparse({
    id: "ntc_19",
    event: "monitor_stale",
    severity: "warning",
    reason: "No check has had a result since 2026-11-20 20:55:30 UTC, so its status is unknown"
  }),
  staleRecovered: sparse({
    id: "ntc_20",
    event: "monitor_stale_recovered",
    reason: "Its checks have results again: it is up",
    durationSeconds: 754
  }),
  sslExpiring: sparse({
    id: "ntc_06",
    event: "ssl_expiring",
    severity: "info",
    reason: "The certificate of shop.example.test expires in 7 days",
    expiresAt: at + 7 * 86_400_000
  }),
  sslExpired: sparse({
    id: "ntc_07",
    event: "ssl_expired",
    reason: "The certificate of shop.example.test expired 2 hours ago",
    expiresAt: at - 7_200_000
  }),
  sslInvalid: sparse({
    id: "ntc_08",
    event: "ssl_invalid",
    reason: "The certificate of shop.example.test is not for this name"
  }),
  sslRecovered: sparse({
    id: "ntc_09",
    event: "ssl_recovered",
    reason: "shop.example.test serves a valid certificate again",
    durationSeconds: 86_400
  }),
  domainExpiring: sparse({
    id: "ntc_10",
    event: "domain_expiring",
    severity: "warning",
    reason: "The registration of example.test ends in 28 days",
    expiresAt: at + 28 * 86_400_000
  }),
  domainExpired: sparse({
    id: "ntc_11",
    event: "domain_expired",
    reason: "The registration of example.test ended 3 days ago",
    expiresAt: at - 3 * 86_400_000
  }),
  domainRecovered: sparse({
    id: "ntc_12",
    event: "domain_recovered",
    reason: "The registration of example.test was renewed",
    durationSeconds: 259_200,
    expiresAt: at + 365 * 86_400_000
  }),
  test: sparse({
    id: "ntc_13",
    event: "test",
    severity: "info",
    rule: null,
    reason: "If you can read this, the channel works"
  }),
  tcp: sparse({
    id: "ntc_14",
    event: "monitor_down",
    monitor: { id: base.monitor.id, name: "database", type: "tcp", target: "db.example.test:5432" },
    reason: "db.example.test refused the connection on port 5432",
    regions: [
      {
        region: "eu-west",
        status: "down",
        responseTime: null,
        failure: { code: "connect_refused", message: "db.example.test refused the connection on port 5432" }
      }
    ],
    region: "eu-west"
  }),
  hostile: {
    ...base,
    id: "ntc_15",
    project: { ...base.project, name: hostileText },
    rule: { id: base.rule!.id, name: hostileText },
    monitor: { ...base.monitor, name: hostileText, target: `https://shop.example.test/?q=${hostileText}` },
    reason: hostileText
  },
  huge: {
    ...base,
    id: "ntc_16",
    project: { ...base.project, name: "p".repeat(10_000) },
    monitor: {
      ...base.monitor,
      name: `${"🚒é".repeat(4_000)}\n`,
      target: `https://shop.example.test/${"a".repeat(9_000)}`
    },
    reason: "<&>*_`".repeat(3_000),
    regions: Array.from({ length: 200 }, (_, index) => ({
      region: `area-${index}-direction`,
      status: "down" as const,
      responseTime: index,
      failure: { code: "timeout", message: "t".repeat(2_000) }
    }))
  },
  empty: sparse({
    id: "ntc_17",
    project: { ...base.project, name: "" },
    monitor: { ...base.monitor, name: "\u200B \n", target: "" },
    reason: ""
  })
} satisfies Record<string, Notice>

export type SampleName = keyof typeof notices

/** A message from Kanmon itself, such as a confirmation code. */
export const ownMessage: Message = {
  id: "msg_01jd5r8qk4t3a7w2m9x6c0b1ze",
  subject: "Confirm your address",
  text: "Your confirmation code is 482915. If you did not expect it, ignore this message."
}
