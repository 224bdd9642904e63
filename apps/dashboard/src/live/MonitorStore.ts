/**
 * The monitors of the project, kept up to date by events: a summary of each, and the full record of those that a page
 * asked for. Rows subscribe to their own monitor, so that a change renders one row; the list subscribes to the whole
 * set, with batched notifications.
 */
import type { Monitor } from "@kanmon/domain/Monitor"
import { startTransition, useCallback, useEffect, useState, useSyncExternalStore } from "react"
import { reasonText } from "../locales/reasons.ts"
import type { Status } from "../ui/statusOrder.ts"
import { listedTargetOf, recordedScheme } from "./target.ts"

type Encoded = typeof Monitor.Encoded

/** The fields in every monitor's record. The fields of its type are beside them. */
export interface MonitorRecord extends Pick<
  Encoded,
  | "name"
  | "type"
  | "interval"
  | "retryInterval"
  | "timeout"
  | "regions"
  | "paused"
  | "tags"
  | "group"
  | "description"
  | "links"
  | "dependsOn"
  | "stale"
  | "lastCheckedAt"
  | "lastFailure"
  | "createdAt"
  | "updatedAt"
> {
  readonly id: string
  readonly projectId: string
  readonly key: string | null
  readonly status: Status
  readonly pausedReason: "plan_limit" | null
  readonly wantedInterval: number | null
  readonly heartbeatUrl?: string
  readonly warnings?: ReadonlyArray<{ readonly code: string; readonly message: string }>
  readonly [field: string]: unknown
}

/** The fields of every monitor that lists need. */
export interface MonitorSummary {
  readonly id: string
  readonly name: string
  readonly type: string
  /** Null for monitors that wait for signals. */
  readonly target: string | null
  /** The scheme of the target, where its address has one. */
  readonly scheme?: string
  readonly group: string | null
  readonly tags: ReadonlyArray<string>
  /** Empty: all. */
  readonly regions: ReadonlyArray<string>
  readonly status: Status
  /** Since when the status holds, in seconds since 1970. */
  readonly since: number
  readonly stale: boolean
  /** Why it is down or degraded. */
  readonly failure: string | null
  /** Percent of the last 24 hours. */
  readonly uptime: number | null
  /** The response time of the last day in milliseconds: the median, or the mean until an hour is over. */
  readonly responseTime: number | null
  /** The newest results, oldest first: `u` up, `g` degraded, `d` down, `x` unknown. */
  readonly results: string
}

type Listener = () => void

/** The summary of a record; fields that the record lacks stay. */
const summaryOf = (record: MonitorRecord, known: MonitorSummary | undefined): MonitorSummary => ({
  id: record.id,
  name: record.name,
  type: record.type,
  target: listedTargetOf(record) || null,
  ...recordedScheme(record),
  group: record.group,
  tags: record.tags,
  regions: record.regions,
  status: record.status,
  since: known !== undefined && known.status === record.status ? known.since : Math.floor(Date.now() / 1000),
  stale: record.stale,
  // Why a monitor is degraded is in no record: a degraded check passed.
  failure:
    record.status === "down"
      ? record.lastFailure && reasonText(record.lastFailure)
      : record.status === known?.status
        ? known.failure
        : null,
  uptime: known?.uptime ?? null,
  responseTime: known?.responseTime ?? null,
  results: known?.results ?? ""
})

export class MonitorStore {
  #monitors = new Map<string, MonitorSummary>()
  readonly #records = new Map<string, MonitorRecord>()
  readonly #rows = new Map<string, Set<Listener>>()
  readonly #all = new Set<Listener>()
  /** Those that the server is deleting; what it still sends of them is not shown. */
  readonly #leaving = new Set<string>()
  #announced = 0
  #scheduled = false

  /** Monitors of the project, also those that no list has. */
  total = 0

  /** Increases with every announcement to lists. */
  get version(): number {
    return this.#announced
  }

  /** The summaries of all monitors. */
  get monitors(): ReadonlyMap<string, MonitorSummary> {
    return this.#monitors
  }

  /** The whole monitor, when it was asked for before. */
  record(id: string): MonitorRecord | undefined {
    return this.#records.get(id)
  }

  /** Replaces all summaries. Monitors that did not change keep their identity. */
  replace(monitors: ReadonlyArray<MonitorSummary>, total: number): void {
    const next = new Map<string, MonitorSummary>()
    let hidden = 0
    for (const monitor of monitors) {
      if (this.#leaving.has(monitor.id)) {
        hidden++
        continue
      }
      const known = this.#monitors.get(monitor.id)
      next.set(monitor.id, known !== undefined && isSame(known, monitor) ? known : monitor)
    }
    const before = this.#monitors
    this.#monitors = next
    this.total = total - hidden
    // The first monitors are shown at once.
    if (before.size === 0) this.#announce()
    for (const [id, listeners] of this.#rows)
      if (before.get(id) !== next.get(id)) for (const listener of listeners) listener()
    this.#changed()
  }

  /** Keeps the record of an open page. */
  put(record: MonitorRecord): void {
    this.#records.set(record.id, record)
    this.learn(record)
  }

  /** Takes the summary of a record, which itself is kept only if it was before. */
  learn(record: MonitorRecord): void {
    if (this.#records.has(record.id)) this.#records.set(record.id, record)
    if (this.#leaving.has(record.id)) return
    const known = this.#monitors.get(record.id)
    if (known === undefined) this.total++
    // Newest first, as in the list that is loaded.
    if (known === undefined) this.#monitors = new Map([[record.id, summaryOf(record, known)], ...this.#monitors])
    else this.#monitors.set(record.id, summaryOf(record, known))
    this.#notify(record.id)
  }

  /** Changes what is known of a monitor; the answer takes the change back. */
  patch(id: string, change: Partial<MonitorSummary>, ofRecord: Partial<MonitorRecord> = {}): () => void {
    const summary = this.#monitors.get(id)
    const record = this.#records.get(id)
    if (summary !== undefined) this.#monitors.set(id, { ...summary, ...change })
    if (record !== undefined)
      this.#records.set(id, {
        ...record,
        ...ofRecord,
        ...(change.status === undefined ? {} : { status: change.status })
      })
    this.#notify(id)
    return () => {
      if (summary !== undefined) this.#monitors.set(id, summary)
      if (record !== undefined) this.#records.set(id, record)
      this.#notify(id)
    }
  }

  remove(id: string): void {
    this.#records.delete(id)
    if (!this.#monitors.delete(id)) return
    this.total--
    this.#notify(id)
  }

  /** Removes monitors that the server deletes bit by bit, until it is done with them; then, those that it kept may come back. */
  leave(ids: ReadonlyArray<string>): () => void {
    for (const id of ids) {
      this.#leaving.add(id)
      this.remove(id)
    }
    return () => {
      for (const id of ids) this.#leaving.delete(id)
    }
  }

  readonly subscribe = (listener: Listener): (() => void) => {
    this.#all.add(listener)
    return () => void this.#all.delete(listener)
  }

  subscribeTo(id: string, listener: Listener): () => void {
    const listeners = this.#rows.get(id) ?? new Set()
    this.#rows.set(id, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#rows.get(id) === listeners) this.#rows.delete(id)
    }
  }

  #notify(id: string): void {
    for (const listener of this.#rows.get(id) ?? []) listener()
    this.#changed()
  }

  #announce(): void {
    this.#announced++
    for (const listener of this.#all) listener()
  }

  /** The list sorts and filters everything, so it does that a few times a second at most. */
  #changed(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setTimeout(
      () => {
        this.#scheduled = false
        this.#announce()
      },
      this.#monitors.size > 2000 ? 500 : 100
    )
  }
}

const isSameSet = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): boolean =>
  one === other || (one.length === other.length && one.every((each, index) => each === other[index]))

const isSame = (one: MonitorSummary, other: MonitorSummary): boolean =>
  one.status === other.status &&
  one.results === other.results &&
  one.since === other.since &&
  one.stale === other.stale &&
  one.uptime === other.uptime &&
  one.responseTime === other.responseTime &&
  one.failure === other.failure &&
  one.name === other.name &&
  one.target === other.target &&
  one.group === other.group &&
  isSameSet(one.tags, other.tags) &&
  isSameSet(one.regions, other.regions)

const useOf = <A>(store: MonitorStore, id: string, read: () => A): A =>
  useSyncExternalStore(
    useCallback((listener: Listener) => store.subscribeTo(id, listener), [store, id]),
    read
  )

/** The summary of one monitor; renders again when it changes. */
export const useSummary = (store: MonitorStore, id: string): MonitorSummary | undefined =>
  useOf(store, id, () => store.monitors.get(id))

/** The record of one monitor, once a page asked for it; renders again when it changes. */
export const useMonitor = (store: MonitorStore, id: string): MonitorRecord | undefined =>
  useOf(store, id, () => store.record(id))

/** Renders again when monitors changed, a few times a second at most, and after what is typed meanwhile. */
export const useVersion = (store: MonitorStore): number => {
  const [version, setVersion] = useState(store.version)
  useEffect(() => {
    const listener = () => startTransition(() => setVersion(store.version))
    listener()
    return store.subscribe(listener)
  }, [store])
  return version
}
