/**
 * The fictional shop of the demo. Each component is declared here once, with its current behaviour and its past problems;
 * its target, its monitor and its history are derived from this.
 */

/** How a component responds while the demo runs: `flaky` fails from time to time, `broken` fails every check. */
type Behaviour = "healthy" | "slow" | "flaky" | "broken"

/** A past outage or slowdown of `minutes`, which began `daysAgo` days ago at `hour` (UTC, fractional). */
interface PastProblem {
  readonly daysAgo: number
  readonly hour: number
  readonly minutes: number
  readonly status: "degraded" | "down"
}

export interface Component {
  /** Identifies the component and its target. */
  readonly key: string
  readonly name: string
  readonly group: string
  readonly type: "dns" | "heartbeat" | "http" | "tcp"
  readonly behaviour: Behaviour
  /** Typical response time in milliseconds; null if none is measured. */
  readonly usual: number | null
  /** How many days ago monitoring began. */
  readonly days: number
  readonly problems: ReadonlyArray<PastProblem>
  /** The number of additional short outages. */
  readonly blips: number
  /** How many minutes ago the current problem began; null if there is none. */
  readonly failingFor: number | null
}

/** One day more than a status page shows. */
const fullHistory = 91

const healthy = { behaviour: "healthy", days: fullHistory, problems: [], blips: 0, failingFor: null } as const

const [storefront, checkout, operations] = ["Storefront", "Checkout", "Behind the scenes"]

/** `DemoIncidents` describes these three past problems. */
export const checkoutOutage = { daysAgo: 12, hour: 18.7, minutes: 47 } as const
/** Slow at first, then down. */
export const imageProblem = { daysAgo: 33, hour: 9.25, minutes: 196 } as const
export const databaseMove = { daysAgo: 61, hour: 4.1, minutes: 74 } as const

export const components: ReadonlyArray<Component> = [
  { ...healthy, key: "shop", name: "Web shop", group: storefront, type: "http", usual: 62, blips: 1 },
  {
    ...healthy,
    key: "search",
    name: "Product search",
    group: storefront,
    type: "http",
    behaviour: "slow",
    usual: 118,
    problems: [{ daysAgo: 5, hour: 13.5, minutes: 85, status: "degraded" }],
    blips: 3,
    failingFor: 154
  },
  {
    ...healthy,
    key: "images",
    name: "Product images",
    group: storefront,
    type: "http",
    usual: 24,
    problems: [
      { ...imageProblem, minutes: 84, status: "degraded" },
      { ...imageProblem, hour: imageProblem.hour + 1.4, minutes: imageProblem.minutes - 84, status: "down" }
    ]
  },
  {
    ...healthy,
    key: "recommendations",
    name: "Recommendations",
    group: storefront,
    type: "http",
    usual: 147,
    days: 20,
    problems: [{ daysAgo: 18, hour: 10.2, minutes: 138, status: "down" }],
    blips: 2
  },
  {
    ...healthy,
    key: "cart",
    name: "Cart",
    group: checkout,
    type: "http",
    usual: 41,
    problems: [{ ...checkoutOutage, status: "down" }],
    blips: 1
  },
  {
    ...healthy,
    key: "payments",
    name: "Card payments",
    group: checkout,
    type: "http",
    behaviour: "broken",
    usual: 212,
    problems: [
      { ...checkoutOutage, status: "down" },
      { daysAgo: 47, hour: 20.1, minutes: 23, status: "down" }
    ],
    blips: 2,
    failingFor: 49
  },
  {
    ...healthy,
    key: "vouchers",
    name: "Vouchers",
    group: checkout,
    type: "http",
    behaviour: "flaky",
    usual: 73,
    problems: [
      { daysAgo: 26, hour: 7.3, minutes: 162, status: "down" },
      { daysAgo: 71, hour: 15.8, minutes: 49, status: "down" }
    ],
    blips: 17
  },
  { ...healthy, key: "mail", name: "Order e-mails", group: checkout, type: "http", usual: 88 },
  {
    ...healthy,
    key: "warehouse",
    name: "Warehouse",
    group: operations,
    type: "http",
    usual: 134,
    problems: [{ daysAgo: 82, hour: 2.6, minutes: 415, status: "down" }],
    blips: 4
  },
  {
    ...healthy,
    key: "database",
    name: "Database",
    group: operations,
    type: "tcp",
    usual: 1.1,
    problems: [{ ...databaseMove, status: "down" }]
  },
  { ...healthy, key: "names", name: "Name service", group: operations, type: "dns", usual: 1.6 },
  {
    ...healthy,
    key: "stock",
    name: "Stock import",
    group: operations,
    type: "heartbeat",
    usual: null,
    problems: [{ daysAgo: 40, hour: 1.5, minutes: 231, status: "down" }]
  }
]

/** The loopback ports of the targets. */
export interface Ports {
  readonly http: number
  readonly tcp: number
  readonly dns: number
}

/** The only name that the demo's DNS server resolves. */
export const hostname = "shop.demo.test"

/**
 * `degradedThreshold` of the http monitors, in milliseconds. Only the slow component has one that it exceeds; the one of the
 * others is so high that a busy machine does not exceed it either.
 */
const thresholds: Record<Behaviour, number> = { healthy: 2000, flaky: 2000, broken: 2000, slow: 500 }

/** The request body of `POST /monitors` for a component. */
export const monitorBody = (
  { behaviour, key, name, type }: Component,
  { dns, http, tcp }: Ports
): Record<string, unknown> => {
  switch (type) {
    case "http":
      return {
        name,
        type,
        url: `http://127.0.0.1:${http}/${key}`,
        interval: 20,
        timeout: 5,
        degradedThreshold: thresholds[behaviour]
      }
    case "tcp":
      return { name, type, host: "127.0.0.1", port: tcp, interval: 20, timeout: 5 }
    case "dns":
      return {
        name,
        type,
        hostname,
        resolver: `127.0.0.1:${dns}`,
        expectedValue: "127.0.0.1",
        interval: 30,
        timeout: 5
      }
    case "heartbeat":
      return { name, type, interval: 60, grace: 60 }
  }
}

/** Whether a flaky component fails at this instant: 40 seconds of every 10 minutes. */
export const flakyFails = (at: number): boolean => at % 600_000 < 40_000
