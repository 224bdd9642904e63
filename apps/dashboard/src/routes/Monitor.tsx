/** `/monitors/$id` */
import { useQuery } from "@tanstack/react-query"
import { Link, useParams } from "@tanstack/react-router"
import { useState } from "react"
import { request } from "../api/request.ts"
import { Daily, ResponseTimes } from "../features/monitor/Charts.tsx"
import { Actions, Figures, StatusLine } from "../features/monitor/Summary.tsx"
import { targetOf } from "../features/monitors/describe.ts"
import { type MonitorRecord, useMonitor } from "../live/MonitorStore.ts"
import { useProjectData } from "../live/ProjectData.tsx"
import { t } from "../locales/text.ts"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { PageError } from "./Failures.tsx"

const card = "rounded-2xl border border-line bg-surface p-4 shadow-(--shadow) sm:p-5"

const Signal = ({ url }: { readonly url: string }) => {
  const [isCopied, setCopied] = useState(false)
  const line = `curl -fsS -m 10 --retry 5 ${url}`
  return (
    <section className={`${card} flex flex-col gap-2`}>
      <h2>{t("Send a signal from your job")}</h2>
      <p className="text-soft">
        {t("Add this to the end of the job. Every call is a signal; a missing one is an outage.")}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <code className="min-w-0 flex-1 basis-64 rounded-lg bg-ink/6 px-3 py-2 text-[0.8125rem] break-all">{line}</code>
        <Button onPress={() => void navigator.clipboard.writeText(line).then(() => setCopied(true))}>
          <Icon name="copy" />
          {isCopied ? t("Copied") : t("Copy")}
        </Button>
      </div>
    </section>
  )
}

const Monitor = () => {
  const { id } = useParams({ from: "/shell/monitors/$id" })
  const { project, state, store } = useProjectData()
  const monitor = useMonitor(store, id)
  // Asked for alone, so that the page does not wait for the list.
  const { error, refetch } = useQuery({
    queryKey: ["monitor", project.id, id],
    queryFn: async ({ signal }) => {
      const found = await request<MonitorRecord>("GET", `/monitors/${id}`, { project: project.headers, signal })
      store.put(found)
      return found
    },
    enabled: monitor === undefined && state !== "loading"
  })
  if (monitor === undefined) return error === null ? null : <PageError error={error} reset={() => void refetch()} />
  const target = targetOf(monitor)
  const { heartbeatUrl, links, name, tags, type } = monitor
  return (
    <div className="mx-auto flex max-w-5xl flex-col gap-4">
      <title>{`${name} · Kanmon`}</title>
      <Link to="/monitors" className="flex w-fit items-center gap-1.5 text-sm text-soft no-underline hover:text-ink">
        <Icon name="back" className="size-3.5 rtl:-scale-x-100" />
        {t("All monitors")}
      </Link>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 basis-72 grow">
          <h1>
            <bdi className="line-clamp-3">{name}</bdi>
          </h1>
          <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-soft">
            <span>{type}</span>
            {target !== "" && <bdi className="line-clamp-2">{target}</bdi>}
            {tags.map((tag) => (
              <Link
                key={tag}
                to="/monitors"
                search={{ tag }}
                className="rounded bg-ink/6 px-1.5 text-ink no-underline hover:underline"
              >
                {tag}
              </Link>
            ))}
          </p>
        </div>
        <Actions monitor={monitor} />
      </div>
      <StatusLine monitor={monitor} />
      {heartbeatUrl !== undefined && <Signal url={heartbeatUrl} />}
      <div className={card}>
        <Figures id={id} />
      </div>
      <div className={card}>
        <Daily id={id} />
      </div>
      <div className={card}>
        <ResponseTimes id={id} />
      </div>
      {(monitor.description !== null || links.length > 0) && (
        <section className={`${card} flex flex-col gap-2`}>
          <h2>{t("Notes")}</h2>
          {monitor.description !== null && <p className="whitespace-pre-line">{monitor.description}</p>}
          {links.length > 0 && (
            <ul className="flex flex-col gap-1">
              {links.map(({ title, url }) => (
                <li key={url}>
                  <a href={url} target="_blank" rel="noreferrer" className="text-accent underline underline-offset-3">
                    {title}
                  </a>
                </li>
              ))}
            </ul>
          )}
        </section>
      )}
    </div>
  )
}

export default Monitor
