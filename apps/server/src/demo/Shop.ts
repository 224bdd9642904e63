/**
 * What the demonstration watches: a shop that does not exist. Each of its parts is made up here once, with how it behaves
 * now and what it has been through; its targets, its monitors and its history are all drawn from this.
 */

/** How a part answers while the demonstration runs: `falters` fails now and then, `broken` never passes. */
type Behaviour = "well" | "slow" | "falters" | "broken"

/** Something that went wrong in the past: `minutes` long, from an hour (UTC) of a day so many days ago. */
interface Trouble {
  readonly daysAgo: number
  readonly hour: number
  readonly minutes: number
  readonly status: "degraded" | "down"
}

export interface Part {
  /** Names its target. */
  readonly key: string
  readonly name: string
  readonly group: string
  readonly type: "dns" | "heartbeat" | "http" | "tcp"
  readonly behaviour: Behaviour
  /** Response time on a usual hour, in milliseconds; null where none is measured. */
  readonly usual: number | null
  /** Since how many days it is watched. */
  readonly days: number
  /** The troubles that people remember. */
  readonly troubles: ReadonlyArray<Trouble>
  /** How many short outages there were besides. */
  readonly blips: number
  /** Minutes since which it is not well now; null when it is. */
  readonly unwellFor: number | null
}

/** A day more than the bars of a status page show. */
const ever = 91

const well = { behaviour: "well", days: ever, troubles: [], blips: 0, unwellFor: null } as const

const [storefront, checkout, operations] = ["Storefront", "Checkout", "Behind the scenes"]

/** The night on which the checkout was down for most of an hour; `incidents` tells the story. */
export const checkoutOutage = { daysAgo: 12, hour: 18.7, minutes: 47 } as const
/** The day on which pictures were slow, then missing. */
export const imageTrouble = { daysAgo: 33, hour: 9.25, minutes: 196 } as const
/** The day on which the database moved. */
export const databaseMove = { daysAgo: 61, hour: 4.1, minutes: 74 } as const

export const parts: ReadonlyArray<Part> = [
  { ...well, key: "shop", name: "Web shop", group: storefront, type: "http", usual: 62, blips: 1 },
  {
    ...well,
    key: "search",
    name: "Product search",
    group: storefront,
    type: "http",
    behaviour: "slow",
    usual: 118,
    troubles: [{ daysAgo: 5, hour: 13.5, minutes: 85, status: "degraded" }],
    blips: 3,
    unwellFor: 154
  },
  {
    ...well,
    key: "images",
    name: "Product images",
    group: storefront,
    type: "http",
    usual: 24,
    troubles: [
      { ...imageTrouble, minutes: 84, status: "degraded" },
      { ...imageTrouble, hour: imageTrouble.hour + 1.4, minutes: imageTrouble.minutes - 84, status: "down" }
    ]
  },
  {
    ...well,
    key: "recommendations",
    name: "Recommendations",
    group: storefront,
    type: "http",
    usual: 147,
    days: 20,
    troubles: [{ daysAgo: 18, hour: 10.2, minutes: 138, status: "down" }],
    blips: 2
  },
  {
    ...well,
    key: "cart",
    name: "Cart",
    group: checkout,
    type: "http",
    usual: 41,
    troubles: [{ ...checkoutOutage, status: "down" }],
    blips: 1
  },
  {
    ...well,
    key: "payments",
    name: "Card payments",
    group: checkout,
    type: "http",
    behaviour: "broken",
    usual: 212,
    troubles: [
      { ...checkoutOutage, status: "down" },
      { daysAgo: 47, hour: 20.1, minutes: 23, status: "down" }
    ],
    blips: 2,
    unwellFor: 49
  },
  {
    ...well,
    key: "vouchers",
    name: "Vouchers",
    group: checkout,
    type: "http",
    behaviour: "falters",
    usual: 73,
    troubles: [
      { daysAgo: 26, hour: 7.3, minutes: 162, status: "down" },
      { daysAgo: 71, hour: 15.8, minutes: 49, status: "down" }
    ],
    blips: 17
  },
  { ...well, key: "mail", name: "Order e-mails", group: checkout, type: "http", usual: 88 },
  {
    ...well,
    key: "warehouse",
    name: "Warehouse",
    group: operations,
    type: "http",
    usual: 134,
    troubles: [{ daysAgo: 82, hour: 2.6, minutes: 415, status: "down" }],
    blips: 4
  },
  {
    ...well,
    key: "database",
    name: "Database",
    group: operations,
    type: "tcp",
    usual: 1.1,
    troubles: [{ ...databaseMove, status: "down" }]
  },
  { ...well, key: "names", name: "Name service", group: operations, type: "dns", usual: 1.6 },
  {
    ...well,
    key: "stock",
    name: "Stock import",
    group: operations,
    type: "heartbeat",
    usual: null,
    troubles: [{ daysAgo: 40, hour: 1.5, minutes: 231, status: "down" }]
  }
]

/** Where its targets listen, on loopback. */
export interface Ports {
  readonly http: number
  readonly tcp: number
  readonly dns: number
}

/** The name that the name service knows. */
export const hostname = "shop.demo.test"

/** Slower than this counts as degraded. */
const slowMillis = 500

/** The body that `POST /monitors` would be sent for a part. */
export const monitorBody = ({ key, name, type }: Part, { dns, http, tcp }: Ports): Record<string, unknown> => {
  switch (type) {
    case "http":
      return {
        name,
        type,
        url: `http://127.0.0.1:${http}/${key}`,
        interval: 20,
        timeout: 5,
        degradedThreshold: slowMillis
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

/** Whether the part that falters fails at this instant: forty seconds of every ten minutes. */
export const falters = (at: number): boolean => at % 600_000 < 40_000
