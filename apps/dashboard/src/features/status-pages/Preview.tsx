/** A preview of the edited page, rendered by the server in a frame that runs no script. */
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { ApiError } from "../../api/problem.ts"
import { request } from "../../api/request.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { t } from "../../locales/text.ts"
import { useScheme } from "../../theme/scheme.ts"
import { Segments } from "../../ui/Choice.tsx"
import { Notice } from "../../ui/Notice.tsx"
import type { PageDraft } from "./queries.ts"

const typingPause = 600
/** CSS pixels of each device. */
const devices = { phone: { width: 375, height: 720 }, desktop: { width: 1180, height: 860 } } as const

const usePause = <A,>(value: A): A => {
  const [settled, setSettled] = useState(value)
  const key = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), typingPause)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the key is the value
  }, [key])
  return settled
}

/** The width of an element, which the frame is scaled to. */
const useWidth = () => {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = ref.current
    if (element === null) return
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, width] as const
}

export const Preview = ({ draft }: { readonly draft: PageDraft }) => {
  const { project } = useProjectData()
  const own = useScheme()
  const [device, setDevice] = useState<keyof typeof devices>(() =>
    matchMedia("(max-width: 40rem)").matches ? "phone" : "desktop"
  )
  const [chosen, setScheme] = useState<"light" | "dark" | undefined>(undefined)
  const [place, available] = useWidth()
  const scheme =
    chosen ?? (own !== "system" ? own : matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")
  const body = usePause(draft)
  const { data, error } = useQuery({
    queryKey: ["page-preview", project.id, scheme, body],
    queryFn: ({ signal }) =>
      request("POST /status-pages/preview", { query: { scheme }, project: project.headers, body, signal }),
    placeholderData: keepPreviousData,
    gcTime: 60_000
  })
  const { height, width } = devices[device]
  const scale = Math.min(1, available / width)
  const problem = error instanceof ApiError && error.fields.length > 0 ? error.fields[0]!.message : error?.message

  return (
    <section className="flex min-w-0 flex-col gap-3" aria-labelledby="preview-title">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="preview-title">{t("Preview")}</h2>
        <div className="flex flex-wrap gap-2">
          <Segments
            label={t("Device")}
            value={device}
            onChange={(id) => setDevice(id === "phone" ? "phone" : "desktop")}
            options={[
              { id: "desktop", label: t("Desktop") },
              { id: "phone", label: t("Phone") }
            ]}
          />
          <Segments
            label={t("Colours")}
            value={scheme}
            onChange={(id) => setScheme(id === "dark" ? "dark" : "light")}
            options={[
              { id: "light", label: t("Light") },
              { id: "dark", label: t("Dark") }
            ]}
          />
        </div>
      </div>
      {problem !== undefined && (
        <Notice tone="degraded">{t("The preview cannot be shown: {problem}", { problem })}</Notice>
      )}
      <div ref={place} className="flex w-full justify-center">
        {data !== undefined && available > 0 && (
          <div
            className="overflow-hidden rounded-xl border border-line shadow-(--shadow)"
            style={{ width: width * scale, height: height * scale }}
          >
            <iframe
              title={t("Preview of the status page")}
              srcDoc={data.html}
              sandbox=""
              className="origin-top-left border-0 rtl:origin-top-right"
              style={{ width, height, transform: `scale(${scale})` }}
            />
          </div>
        )}
      </div>
      <p className="text-small text-soft">
        {t("With the figures and incidents of this moment. Nothing is published until it is saved.")}
      </p>
    </section>
  )
}
