/** The monitors of the current project and the live connection, for every page below the shell. */
import type { MonitorStatusChanged } from "@kanmon/domain/ServiceEvent"
import { useQueryClient } from "@tanstack/react-query"
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react"
import { reasonOf } from "../api/problem.ts"
import { request } from "../api/request.ts"
import { type CurrentProject, projectsQuery } from "../api/session.ts"
import { reasonText } from "../locales/reasons.ts"
import { type Connection, connect, type LiveEvent } from "./Live.ts"
import { MonitorStore } from "./MonitorStore.ts"
import { onOtherTab } from "./otherTabs.ts"
import { loadSummaries } from "./summaries.ts"

export interface ProjectData {
  readonly project: CurrentProject
  readonly store: MonitorStore
  /** The instant of the past that is shown; undefined: the present. */
  readonly at: string | undefined
  readonly connection: Connection
  /** `loading` until the first answer; an error only when there was none before. */
  readonly state: "loading" | "ready" | Error
  readonly reload: () => void
  /** Calls back for every event until the answer is called. */
  readonly onEvent: (listener: (event: LiveEvent) => void) => () => void
}

const Context = createContext<ProjectData | undefined>(undefined)

export const useProjectData = (): ProjectData => {
  const data = useContext(Context)
  if (data === undefined) throw new Error("There is no project here")
  return data
}

const refreshEvery = 60_000
/** Milliseconds between loads of everything that events ask for. */
const reloadPause = 2000
/** More monitors than this that changed together are asked for as one list. */
const fewEnough = 20

const isStatus = (value: unknown): value is "up" | "degraded" | "down" =>
  value === "up" || value === "degraded" || value === "down"

type EventFailure = (typeof MonitorStatusChanged.Encoded)["failure"]

/** What an event says may be of another version. */
const messageOf = (failure: unknown): string | null =>
  typeof failure === "object" && failure !== null && "message" in failure && typeof failure.message === "string"
    ? reasonText(failure as NonNullable<EventFailure>)
    : null

/** Loads the monitors, and keeps the store up to date by events. */
const follow = (
  project: Pick<CurrentProject, "headers">,
  store: MonitorStore,
  handlers: {
    readonly onState: (state: ProjectData["state"]) => void
    readonly onConnection: (connection: Connection) => void
    readonly onOpen: () => void
    readonly onRefused: () => void
    readonly listeners: ReadonlySet<(event: LiveEvent) => void>
  }
) => {
  const ended = new AbortController()
  let loading = false
  let again = false
  let loadedAt = 0
  let etag: string | null = null
  const changed = new Set<string>()
  /** Events that arrived during the request of the list, which may be older. */
  const newer = new Map<string, LiveEvent>()
  let timer: ReturnType<typeof setTimeout> | undefined

  const reload = async (): Promise<void> => {
    if (loading) {
      again = true
      return
    }
    loading = true
    do {
      again = false
      newer.clear()
      try {
        const loaded = await loadSummaries(project.headers, etag, ended.signal)
        if (loaded !== undefined) {
          etag = loaded.etag
          store.replace(loaded.monitors, loaded.total)
          for (const event of newer.values()) apply(event)
        }
        handlers.onState("ready")
      } catch (error) {
        if (ended.signal.aborted) return
        if (store.monitors.size === 0) handlers.onState(error instanceof Error ? error : new Error(String(error)))
      }
    } while (again)
    loading = false
    loadedAt = performance.now()
  }

  const refresh = async (): Promise<void> => {
    timer = undefined
    if (changed.size > fewEnough) {
      const wait = loadedAt + reloadPause - performance.now()
      if (wait > 0) {
        timer = setTimeout(() => void refresh(), wait)
        return
      }
      changed.clear()
      return reload()
    }
    const ids = [...changed]
    changed.clear()
    await Promise.all(
      ids.map(async (id) => {
        try {
          store.learn(
            await request("GET /monitors/:monitorId", {
              params: { monitorId: id },
              project: project.headers,
              signal: ended.signal
            })
          )
        } catch {
          // The next refresh of the list has it.
        }
      })
    )
  }

  const ask = (id: string) => {
    changed.add(id)
    timer ??= setTimeout(() => void refresh(), 150)
  }

  /** A change of status says everything that lists show, so that hundreds of them in a second ask for nothing. */
  const apply = ({ data, type }: LiveEvent) => {
    const id = data["monitorId"]
    if (!type.startsWith("kanmon.monitor.") || typeof id !== "string") return
    const known = store.monitors.get(id)
    if (type === "kanmon.monitor.deleted") store.remove(id)
    else if (known === undefined || !isStatus(data["status"]) || known.status === "maintenance") ask(id)
    else {
      const since = Math.floor(Date.parse(String(data["at"])) / 1000)
      store.patch(id, {
        status: data["status"],
        since: Number.isFinite(since) ? since : known.since,
        failure: messageOf(data["failure"])
      })
      if (store.record(id) !== undefined) ask(id)
    }
  }

  const onEvent = (event: LiveEvent) => {
    const id = event.data["monitorId"]
    if (loading && typeof id === "string") newer.set(id, event)
    apply(event)
    for (const listener of handlers.listeners) listener(event)
  }

  void reload()
  const interval = setInterval(() => {
    if (!document.hidden) void reload()
  }, refreshEvery)
  const disconnect = connect({
    project: project.headers,
    onEvent,
    onGap: () => void reload(),
    onOpen: handlers.onOpen,
    onRefused: handlers.onRefused,
    onConnection: handlers.onConnection
  })
  return {
    reload: () => void reload(),
    stop: () => {
      ended.abort()
      clearInterval(interval)
      clearTimeout(timer)
      disconnect()
    }
  }
}

/** Loads the monitors as they were at an instant: nothing changes any more. */
const loadPast = (
  project: Pick<CurrentProject, "headers">,
  store: MonitorStore,
  at: string,
  onState: (state: ProjectData["state"]) => void
) => {
  const ended = new AbortController()
  loadSummaries(project.headers, null, ended.signal, at).then(
    (loaded) => {
      if (loaded !== undefined) store.replace(loaded.monitors, loaded.total)
      onState("ready")
    },
    (error: unknown) => {
      if (!ended.signal.aborted) onState(new Error(reasonOf(error)))
    }
  )
  return () => ended.abort()
}

/** To show another instant it is mounted again. */
export const ProjectDataProvider = ({
  at,
  children,
  project
}: {
  readonly project: CurrentProject
  readonly at: string | undefined
  readonly children: ReactNode
}) => {
  const [connection, setConnection] = useState<Connection>("connecting")
  const [state, setState] = useState<ProjectData["state"]>("loading")
  const [reload, setReload] = useState(() => () => {})
  const [store] = useState(() => new MonitorStore())
  const [listeners] = useState(() => new Set<(event: LiveEvent) => void>())
  const { headers, id, role } = project
  const headerText = JSON.stringify(headers)
  const client = useQueryClient()

  useEffect(() => onOtherTab(() => void client.invalidateQueries()), [client])
  useEffect(() => {
    const asked = { headers: JSON.parse(headerText) as CurrentProject["headers"] }
    if (at !== undefined) return loadPast(asked, store, at, setState)
    const followed = follow(asked, store, {
      onState: setState,
      onConnection: setConnection,
      // Responses on their way are newer than the missed events.
      onOpen: () => void client.invalidateQueries({}, { cancelRefetch: false }),
      // The visitor left it, or was removed.
      onRefused: () => void client.invalidateQueries({ queryKey: projectsQuery.queryKey }),
      listeners
    })
    setReload(() => followed.reload)
    return followed.stop
  }, [at, id, headerText, store, listeners, client])

  const value = useMemo(
    (): ProjectData => ({
      project,
      store,
      at,
      connection,
      state,
      reload,
      onEvent: (listener) => {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      }
    }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a project is its id, its headers and the role in it
    [at, id, headerText, role, store, connection, state, reload, listeners]
  )
  return <Context value={value}>{children}</Context>
}
