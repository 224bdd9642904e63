/**
 * The incidents and maintenance windows of the demo. Their times are relative to the start of the demo, so that it looks the
 * same at any time.
 */
import type { IncidentStatus } from "@kanmon/domain/Incident"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { ago } from "./History.ts"
import { checkoutOutage, databaseMove, imageProblem } from "./Shop.ts"

interface Entry {
  readonly at: EpochMillis
  readonly status: IncidentStatus
  readonly message: string
}

export interface DemoIncident {
  readonly title: string
  /** Keys of the affected components. */
  readonly about: ReadonlyArray<string>
  /** Oldest first; the first one creates the incident. */
  readonly entries: readonly [Entry, ...ReadonlyArray<Entry>]
  readonly window?: {
    readonly from: EpochMillis
    readonly to: EpochMillis
    readonly recurrence: string | null
  }
}

const minute = 60_000
const hour = 60 * minute

/** All incidents and maintenance windows, in the order of creation. */
export const demoIncidents = (now: EpochMillis): ReadonlyArray<DemoIncident> => {
  const tomorrow = ago(-1, 0, now)
  /** Makes entries `minutes` after an instant. */
  const after =
    (start: EpochMillis) =>
    (minutes: number, status: IncidentStatus, message: string): Entry => ({
      at: start + minutes * minute,
      status,
      message
    })
  const move = after(ago(databaseMove.daysAgo, databaseMove.hour, now))
  const images = after(ago(imageProblem.daysAgo, imageProblem.hour, now))
  const checkout = after(ago(checkoutOutage.daysAgo, checkoutOutage.hour, now))
  const today = after(now)
  return [
    {
      title: "Database unreachable after a failed disk",
      about: ["database"],
      entries: [
        move(6, "investigating", "The primary database does not accept connections. Orders are queued, none are lost."),
        move(22, "identified", "A disk of the primary has failed. The standby is being promoted."),
        move(74, "resolved", "The standby has taken over, and the queued orders have been written. Nothing was lost.")
      ]
    },
    {
      title: "Product images are slow or missing",
      about: ["images"],
      entries: [
        images(11, "investigating", "Some product images load slowly. We are looking into it with our image host."),
        images(92, "identified", "A cache node with a full disk returns errors. It is being taken out of service."),
        images(168, "monitoring", "The node is out of service, images load again. We are monitoring it."),
        images(231, "resolved", "Images have loaded at the usual speed for half an hour.")
      ]
    },
    {
      title: "Checkout unavailable",
      about: ["cart", "payments"],
      entries: [
        checkout(4, "investigating", "Customers cannot open their cart or pay. We are looking into it."),
        checkout(
          15,
          "identified",
          "The release of 18:40 UTC holds connections to the database for too long. It is being rolled back."
        ),
        checkout(
          38,
          "monitoring",
          "The rollback is complete. Cart and payments answer again, and we are watching them."
        ),
        checkout(
          86,
          "resolved",
          "No errors for forty minutes. The checkout was down for 47 minutes; carts were kept, no payment was taken twice."
        )
      ]
    },
    {
      title: "Warehouse moves to new servers",
      about: ["warehouse"],
      entries: [
        today(
          -1600,
          "investigating",
          "The warehouse system moves to new servers. Orders are taken as usual, delivery dates may be missing for some minutes."
        ),
        today(-26, "identified", "The move has begun. Stock levels are copied first.")
      ],
      window: { from: now - 40 * minute, to: now + 4 * hour, recurrence: null }
    },
    {
      title: "Weekly database maintenance",
      about: ["database"],
      entries: [
        today(
          -1200,
          "investigating",
          "Updates of the database, every week at this time. It is unavailable for one or two minutes; orders wait until it is back."
        )
      ],
      window: { from: tomorrow + 3 * hour, to: tomorrow + 4 * hour, recurrence: "FREQ=WEEKLY" }
    },
    {
      title: "Card payments are failing",
      about: ["payments"],
      entries: [
        today(-45, "investigating", "Card payments have been failing for a few minutes. We are looking into it."),
        today(
          -31,
          "identified",
          "Our payment provider returns errors (503) and is working on it. PayPal and invoice work as usual."
        ),
        today(-9, "identified", "The provider expects to be back within the hour. We hold orders for you until then.")
      ]
    }
  ]
}
