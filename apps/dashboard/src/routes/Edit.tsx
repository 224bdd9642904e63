/** `/monitors/new` and `/monitors/$id/edit` */
import { useQuery } from "@tanstack/react-query"
import { Link, useParams, useSearch } from "@tanstack/react-router"
import { ApiError } from "../api/problem.ts"
import { useCheckTypes } from "../api/checkTypes.ts"
import { Editor } from "../features/editor/Editor.tsx"
import { regionsQuery } from "../features/editor/queries.ts"
import { useProjectData } from "../live/ProjectData.tsx"
import { useMonitorRecord } from "../live/record.ts"
import { t } from "../locales/text.ts"
import { NotFound, PageError } from "./Failures.tsx"
import { restricted } from "./restricted.tsx"
import { BackLink, PageFrame } from "../ui/PageFrame.tsx"

const Edit = () => {
  const { id } = useParams({ strict: false })
  const { clone } = useSearch({ strict: false })
  const { error: missing, monitor, refetch: find } = useMonitorRecord(id)
  const { error: lost, monitor: template } = useMonitorRecord(clone)
  const { data: types, error, refetch } = useCheckTypes()
  const { isLoading: isAwaitingRegions } = useQuery(regionsQuery(useProjectData().project))
  if (error !== null) return <PageError error={error} reset={() => void refetch()} />
  if (id !== undefined && monitor === undefined && missing !== null)
    return missing instanceof ApiError && missing.status === 404 ? (
      <NotFound />
    ) : (
      <PageError error={missing} reset={() => void find()} />
    )
  const isLoading =
    isAwaitingRegions ||
    (id !== undefined && monitor === undefined) ||
    (clone !== undefined && template === undefined && lost === null)
  if (types === undefined || isLoading) return null
  const title = monitor === undefined ? t("New monitor") : t("Edit {name}", { name: monitor.name })
  return (
    <PageFrame
      title={title}
      width="form"
      back={
        monitor === undefined ? (
          <BackLink to="/monitors">{t("All monitors")}</BackLink>
        ) : (
          <BackLink to="/monitors/$id" params={{ id: monitor.id }}>
            {monitor.name}
          </BackLink>
        )
      }
    >
      {monitor === undefined && template === undefined && (
        <div className="flex flex-wrap gap-x-5">
          <Link
            to="/welcome"
            search={{}}
            className="flex w-fit items-center text-sm text-accent underline underline-offset-3 pointer-coarse:min-h-11"
          >
            {t("Guide me: test first, save later")}
          </Link>
          <Link
            to="/import"
            className="flex w-fit items-center text-sm text-accent underline underline-offset-3 pointer-coarse:min-h-11"
          >
            {t("Import from Uptime Kuma")}
          </Link>
        </div>
      )}
      <Editor
        key={id ?? clone ?? "new"}
        types={types}
        {...(monitor === undefined ? {} : { monitor })}
        {...(template === undefined ? {} : { template })}
      />
    </PageFrame>
  )
}

export default restricted("monitors.write", Edit)
