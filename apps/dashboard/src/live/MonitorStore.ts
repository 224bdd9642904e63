/**
 * The monitors of the project, kept up to date by events. Rows subscribe to their own monitor, so that a change renders one
 * row; the list subscribes to the set as a whole, whose notifications are batched.
 */
import type { Monitor } from "@kanmon/domain/Monitor"
import { useCallback, useSyncExternalStore } from "react"
import type { Status } from "../ui/Status.tsx"

type Encoded = typeof Monitor.Encoded

/** What every monitor's record has, whatever its type. Its type's own fields are beside them. */
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

type Listener = () => void

export class MonitorStore {
  #monitors = new Map<string, MonitorRecord>()
  readonly #rows = new Map<string, Set<Listener>>()
  readonly #all = new Set<Listener>()
  #announced = 0
  #scheduled = false

  /** Increases with every announcement to lists. */
  get version(): number {
    return this.#announced
  }

  get monitors(): ReadonlyMap<string, MonitorRecord> {
    return this.#monitors
  }

  get(id: string): MonitorRecord | undefined {
    return this.#monitors.get(id)
  }

  /** Replaces everything. Monitors that did not change keep their identity. */
  replace(monitors: ReadonlyArray<MonitorRecord>): void {
    const next = new Map<string, MonitorRecord>()
    for (const monitor of monitors) {
      const known = this.#monitors.get(monitor.id)
      next.set(monitor.id, known !== undefined && isSame(known, monitor) ? known : monitor)
    }
    const before = this.#monitors
    this.#monitors = next
    // The first monitors are shown at once.
    if (before.size === 0) this.#announce()
    for (const [id, listeners] of this.#rows)
      if (before.get(id) !== next.get(id)) for (const listener of listeners) listener()
    this.#changed()
  }

  put(monitor: MonitorRecord): void {
    this.#monitors.set(monitor.id, monitor)
    this.#notify(monitor.id)
  }

  /** Changes a monitor that is known; answers what it was, to take the change back. */
  patch(id: string, change: Partial<MonitorRecord>): MonitorRecord | undefined {
    const known = this.#monitors.get(id)
    if (known !== undefined) this.put({ ...known, ...change })
    return known
  }

  remove(id: string): void {
    if (this.#monitors.delete(id)) this.#notify(id)
  }

  readonly subscribe = (listener: Listener): (() => void) => {
    this.#all.add(listener)
    return () => this.#all.delete(listener)
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
    setTimeout(() => {
      this.#scheduled = false
      this.#announce()
    }, 100)
  }
}

const isSame = (one: MonitorRecord, other: MonitorRecord): boolean =>
  one.updatedAt === other.updatedAt &&
  one.status === other.status &&
  one.lastCheckedAt === other.lastCheckedAt &&
  one.stale === other.stale &&
  one.lastFailure?.at === other.lastFailure?.at

/** One monitor of the store; renders again when it changes. */
export const useMonitor = (store: MonitorStore, id: string): MonitorRecord | undefined =>
  useSyncExternalStore(
    useCallback((listener: Listener) => store.subscribeTo(id, listener), [store, id]),
    () => store.get(id)
  )

/** Renders again when monitors changed, a few times a second at most. */
export const useVersion = (store: MonitorStore): number => useSyncExternalStore(store.subscribe, () => store.version)
