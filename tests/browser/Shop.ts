/** A shop's status pages: one on a good day, one on a bad day with all that a page can tell, one with nothing yet. */
import { Context, Effect, Layer } from "effect"
import * as Past from "../support/Past.ts"
import { type Published, Site, type Watched } from "./Site.ts"

const minute = 60_000

/** Names that would break a page which trusted them. */
export const hostile = {
  markup: `<script>document.title = "owned"</script><img src=x onerror="document.title='owned'">`,
  long: "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft".repeat(2),
  reversed: "\u202Eerutuf eht morf\u202C نظام الدفع",
  group: `"></section><style>*{display:none}</style>`
} as const

export interface Window {
  readonly title: string
  readonly from: Date
  readonly to: Date
}

export class Shop extends Context.Service<
  Shop,
  {
    readonly good: Published
    readonly bad: Published
    readonly empty: Published
    /** The monitors of the bad day, by their names. */
    readonly named: (name: string) => Watched
    /** The windows of the bad day: open now, and to come. */
    readonly now: Window
    readonly later: Window
  }
>()("@kanmon/tests/browser/Shop") {
  static readonly layer = Layer.effect(
    Shop,
    Effect.flatMap(Site, (site) => Effect.promise(() => open(site)))
  ).pipe(Layer.provideMerge(Site.layer))
}

const open = async (site: Site["Service"]): Promise<Shop["Service"]> => {
  const calm = await site.monitors(["Shop window", "Till", "Warehouse"])
  const names = ["Checkout", "Search", "Product pictures", "Mail", "Backup", "Partner interface", "Old shop"]
  const all = await site.monitors([...names, hostile.markup, hostile.long, hostile.reversed])
  const byName = new Map(all.map((monitor) => [monitor.name, monitor]))
  const named = (name: string): Watched => byName.get(name)!
  await site.remember([...calm, ...all.slice(0, 9)], Past.varied)

  for (const monitor of [...calm, ...all]) if (monitor.name !== "Partner interface") await monitor.signal("up")
  await named("Checkout").signal("down")
  await named("Search").signal("degraded")
  await site.call("PATCH", `/monitors/${named("Old shop").id}`, { paused: true })

  const good = await site.publish(
    "Acme",
    calm.map((monitor) => ({ monitor, group: "Shop" }))
  )
  const bad = await site.publish("Acme & Söhne", [
    ...["Checkout", "Search", "Product pictures"].map((name) => ({ monitor: named(name), group: "Web shop" })),
    ...["Mail", "Backup", "Partner interface"].map((name) => ({ monitor: named(name), group: "Behind the scenes" })),
    ...[hostile.markup, hostile.long, hostile.reversed].map((name) => ({ monitor: named(name), group: hostile.group })),
    { monitor: named("Old shop") }
  ])

  await site.call("POST", "/incidents", {
    title: "Payments are refused",
    message: "We look into it.\nMore at https://status.example/payments?a=1&b=2.",
    monitorIds: [named("Checkout").id, named("Search").id]
  })
  const over = await site.call("POST", "/incidents", {
    title: `Pictures were slow ${hostile.markup}`,
    message: "A cache is full.",
    monitorIds: [named("Product pictures").id]
  })
  await site.call("PATCH", `/incidents/${over.id}`, { status: "identified", message: "Emptied it." })
  await site.call("PATCH", `/incidents/${over.id}`, { status: "resolved", message: "All pictures are back." })

  const began = Math.floor(Date.now() / minute) * minute
  const windowAt = (title: string, from: number, to: number): Window => ({
    title,
    from: new Date(began + from * minute),
    to: new Date(began + to * minute)
  })
  const now = windowAt("Mail server moves", -10, 110)
  const later = windowAt("Backup to the new disks", 26 * 60, 28 * 60)
  for (const [{ from, title, to }, name] of [
    [now, "Mail"],
    [later, "Backup"]
  ] as const)
    await site.call("POST", "/incidents", {
      title,
      message: "Nothing is lost meanwhile.",
      maintenance: true,
      scheduledStart: from.toISOString(),
      scheduledEnd: to.toISOString(),
      monitorIds: [named(name).id]
    })

  const empty = await site.publish("Nothing yet", [])
  await good.until((page) => page.monitors.every(({ status }) => status === "up"))
  await bad.until(({ history, incidents, maintenances, monitors }) => {
    const statuses = new Set(monitors.map(({ status }) => status))
    return statuses.size === 6 && incidents.length === 1 && maintenances.length === 2 && history.length === 1
  })
  return { good, bad, empty, named, now, later }
}
