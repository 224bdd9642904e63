/**
 * The live connection of this tab: one stream of the project's events. It stops while the tab is hidden, resumes after the
 * last event, and asks for everything again (`onGap`) at intervals while the stream cannot be kept open.
 */
import { ApiError } from "../api/problem.ts"
import { errorOf } from "../api/refusal.ts"
import type { ProjectHeaders } from "../api/message.ts"
import { onSessionRenewed, send } from "../api/request.ts"
import { readEvents } from "./readEvents.ts"

export interface LiveEvent {
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

/** `lost`: it was open, and has been away for some seconds. */
export type Connection = "connecting" | "open" | "lost"

export interface LiveOptions {
  readonly project: ProjectHeaders
  readonly onEvent: (event: LiveEvent) => void
  /** Events may have been missed, so the shown data must be requested again. */
  readonly onGap: () => void
  /** The stream is open, for the first time or again. Other responses of the page may be older. */
  readonly onOpen: () => void
  /** The visitor may no longer read the project. */
  readonly onRefused: () => void
  readonly onConnection: (connection: Connection) => void
}

/** Milliseconds without a byte after which a stream counts as dead; the server sends a comment every 15 seconds. */
const silence = 40_000
/** Milliseconds until a lost connection is shown, and data is polled. */
const patience = 2500
const pollEvery = 15_000
/**
 * The pause between attempts is a sixtieth of the time that the server has been away. A restart takes seconds, and data
 * must be right soon after it; after minutes the page is rarely watched.
 */
const awayShare = 1 / 60
const shortestDelay = 500
const longestDelay = 10_000
/** Hidden for longer than this, the data is asked for again. */
const longAway = 10 * 60_000

const types =
  "kanmon.monitor.*,kanmon.alert.*,kanmon.external-alert.*,kanmon.incident.*,kanmon.operation.*,kanmon.drill.*"

const parse = (text: string): LiveEvent | undefined => {
  const event: unknown = JSON.parse(text)
  if (typeof event !== "object" || event === null || !("type" in event) || !("data" in event)) return undefined
  const { data, type } = event
  return typeof type === "string" && typeof data === "object" && data !== null
    ? { type, data: data as Readonly<Record<string, unknown>> }
    : undefined
}

/** Starts the connection; the answer stops it. */
export const connect = ({ onConnection, onEvent, onGap, onOpen, onRefused, project }: LiveOptions): (() => void) => {
  let lastId: string | undefined
  let current: AbortController | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let lostTimer: ReturnType<typeof setTimeout> | undefined
  let pollTimer: ReturnType<typeof setInterval> | undefined
  let awaySince: number | undefined
  let hiddenAt: number | undefined
  let stopped = false
  let signedOut = false

  /** Neither shows that the connection is lost, nor polls meanwhile. */
  const quiet = () => {
    clearTimeout(lostTimer)
    clearInterval(pollTimer)
    lostTimer = undefined
    pollTimer = undefined
  }

  const opened = () => {
    signedOut = false
    awaySince = undefined
    quiet()
    onConnection("open")
  }

  const missed = () => {
    lostTimer ??= setTimeout(() => {
      onConnection("lost")
      onGap()
      pollTimer = setInterval(onGap, pollEvery)
    }, patience)
  }

  const again = () => {
    // Without a session every attempt is refused, until somebody signs in again.
    if (stopped || signedOut || document.hidden) return
    missed()
    awaySince ??= Date.now()
    const share = (Date.now() - awaySince) * awayShare
    // Everybody's page was cut off at the same time.
    const delay = Math.min(longestDelay, Math.max(shortestDelay, share)) * (0.75 + Math.random() / 2)
    clearTimeout(timer)
    timer = setTimeout(() => void open(), delay)
  }

  /** The connection is not what is lost: nothing says so, and the next request asks to sign in. */
  const endSession = () => {
    if (signedOut) return
    signedOut = true
    quiet()
    onConnection("connecting")
    onGap()
  }

  const open = async (): Promise<void> => {
    const controller = new AbortController()
    current?.abort()
    current = controller
    let watchdog: ReturnType<typeof setTimeout> | undefined
    const alive = () => {
      clearTimeout(watchdog)
      watchdog = setTimeout(() => controller.abort(), silence)
    }
    try {
      alive()
      const response = await send("GET /events", {
        query: { types },
        signal: controller.signal,
        project: {
          ...project,
          accept: "text/event-stream",
          ...(lastId === undefined ? {} : { "last-event-id": lastId })
        }
      })
      if (!response.ok || response.body === null) throw await errorOf(response)
      // The stream's own past covers changes during a gap only if there was an id to resume after.
      if (awaySince !== undefined || lastId === undefined) {
        onGap()
        onOpen()
      }
      opened()
      await readEvents(response.body, {
        onData: alive,
        onId: (id) => {
          lastId = id
        },
        onEvent: ({ data }) => {
          const event = parse(data)
          if (event !== undefined) onEvent(event)
        }
      })
    } catch (error) {
      // An ended stream and a failed request are the same here: try again.
      if (error instanceof ApiError && (error.status === 403 || error.status === 404)) onRefused()
      if (error instanceof ApiError && error.status === 401) endSession()
    } finally {
      clearTimeout(watchdog)
    }
    if (current === controller) again()
  }

  const halt = () => {
    clearTimeout(timer)
    quiet()
    const open = current
    current = undefined
    open?.abort()
  }

  const onVisibility = () => {
    if (document.hidden) {
      hiddenAt = Date.now()
      halt()
      return
    }
    if (hiddenAt !== undefined && Date.now() - hiddenAt > longAway) lastId = undefined
    hiddenAt = undefined
    void open()
  }

  /** A stream may hang on for long without a network. Where only the internet is gone, it opens again at once. */
  const onOffline = () => {
    if (!document.hidden) void open()
  }

  const onOnline = () => {
    awaySince = undefined
    clearTimeout(timer)
    void open()
  }

  const onRenewed = () => {
    signedOut = false
    if (!document.hidden) void open()
  }

  const stopListening = onSessionRenewed(onRenewed)
  document.addEventListener("visibilitychange", onVisibility)
  window.addEventListener("online", onOnline)
  window.addEventListener("offline", onOffline)
  if (!document.hidden) void open()
  return () => {
    stopped = true
    stopListening()
    document.removeEventListener("visibilitychange", onVisibility)
    window.removeEventListener("online", onOnline)
    window.removeEventListener("offline", onOffline)
    halt()
  }
}
