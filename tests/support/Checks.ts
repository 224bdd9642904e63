/** Checks on demand in tests of the product, which need not wait for the next slot of a monitor. */
import { Effect } from "effect"
import { type Client, eventually } from "./Product.ts"

/** The result of one region. */
export interface CheckedRegion {
  readonly region: string
  readonly status: string
  readonly checkedAt: string
  readonly failure: { readonly code: string; readonly message: string } | null
  readonly responseTime: number | null
  readonly timing: Readonly<Record<string, number>>
  readonly facts: Readonly<Record<string, unknown>>
}

type Caller = Pick<Client, "call">

/**
 * Checks a monitor in all its regions, and returns their results. Asks again while no probe has the current version of the
 * monitor: on a busy machine it may arrive later than the API waits for it.
 */
export const checkNow = (client: Caller, monitorId: string): Effect.Effect<ReadonlyArray<CheckedRegion>> =>
  Effect.map(
    eventually(
      client.call("POST", `/monitors/${monitorId}/check`),
      ({ body, status }) =>
        status === 200 && body.regions.every(({ checkedAt }: { readonly checkedAt: unknown }) => checkedAt !== null)
    ),
    ({ body }) => body.regions
  )

/** Waits until a monitor has a status, and returns the monitor. */
export const hasStatus = (client: Caller, monitorId: string, status: string): Effect.Effect<any> =>
  Effect.map(
    eventually(client.call("GET", `/monitors/${monitorId}`), ({ body }) => body.status === status),
    ({ body }) => body
  )

/** Checks a monitor, and waits for the status that follows from the result. */
export const checkedAs = (client: Caller, monitorId: string, status: string): Effect.Effect<any> =>
  Effect.andThen(checkNow(client, monitorId), hasStatus(client, monitorId, status))
