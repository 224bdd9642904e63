/** Runs a draft of a monitor in every region without saving it, and shows each result as it arrives. */
import type { RegionTrial, trialEvents } from "@kanmon/protocol/CheckBody"
import { useEffect, useRef, useState } from "react"
import { ApiError } from "../api/problem.ts"
import { call } from "../api/request.ts"
import { t } from "../locales/text.ts"
import { useProjectData } from "./ProjectData.tsx"
import { readEvents } from "./readEvents.ts"

export interface Trial {
  /** The regions that were asked, in their order; empty until the server has said which. */
  readonly regions: ReadonlyArray<string>
  /** The results so far. */
  readonly results: ReadonlyArray<typeof RegionTrial.Encoded>
  /** The conclusion of the results; undefined until all have arrived. */
  readonly end: typeof trialEvents.end.Encoded | undefined
  readonly isRunning: boolean
  /** Why it ended early. */
  readonly failure: string | undefined
}

const started: Trial = { regions: [], results: [], end: undefined, isRunning: true, failure: undefined }

/** The trial after one more event. */
const after = (trial: Trial, type: string, data: unknown): Trial => {
  switch (type) {
    case "start":
      return { ...trial, regions: (data as typeof trialEvents.start.Encoded).regions }
    case "region":
      return { ...trial, results: [...trial.results, data as typeof RegionTrial.Encoded] }
    case "end":
      return { ...trial, end: data as typeof trialEvents.end.Encoded }
    case "error":
      return { ...trial, failure: (data as typeof trialEvents.error.Encoded).detail }
    default:
      return trial
  }
}

export const useTrial = () => {
  const { project } = useProjectData()
  const [trial, setTrial] = useState<Trial | undefined>(undefined)
  const running = useRef<AbortController | undefined>(undefined)

  const clear = () => {
    running.current?.abort()
    running.current = undefined
    setTrial(undefined)
  }
  // The test ends with the page that shows it.
  useEffect(() => () => running.current?.abort(), [])

  /** Rejects when the draft is refused; later failures are a part of the trial. */
  const run = async (draft: Readonly<Record<string, unknown>>): Promise<void> => {
    running.current?.abort()
    const own = (running.current = new AbortController())
    const change = (next: (known: Trial) => Trial) => {
      if (running.current === own) setTrial((known) => (known === undefined ? known : next(known)))
    }
    setTrial(started)
    try {
      const { body } = await call("POST /monitors/test", {
        project: project.headers,
        body: draft,
        accept: "text/event-stream",
        signal: own.signal
      })
      if (body === null) throw new ApiError({ status: 0, detail: t("The test was cut off. Try again.") })
      let isOver = false
      await readEvents(body, {
        onEvent: ({ data, type }) => {
          isOver ||= type === "end" || type === "error"
          change((known) => after(known, type, JSON.parse(data)))
        },
        onId: () => {},
        onData: () => {}
      }).catch(() => {})
      change((known) => ({
        ...known,
        isRunning: false,
        failure: isOver ? known.failure : t("The test was cut off. Try again.")
      }))
    } catch (error) {
      if (own.signal.aborted) return
      if (running.current === own) setTrial(undefined)
      throw error
    }
  }

  return { trial, run, clear }
}
