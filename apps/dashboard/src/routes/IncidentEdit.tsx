/** `/incidents/new` and `/incidents/$id/edit` */
import { useQuery } from "@tanstack/react-query"
import { Link, useParams, useSearch } from "@tanstack/react-router"
import { IncidentForm } from "../features/incidents/IncidentForm.tsx"
import { incidentQuery } from "../features/incidents/queries.ts"
import { useProjectData } from "../live/ProjectData.tsx"
import { t } from "../locales/text.ts"
import { Icon } from "../ui/Icon.tsx"
import { PageError } from "./Failures.tsx"
import { restricted } from "./restricted.tsx"

const IncidentEdit = () => {
  const { id } = useParams({ strict: false })
  const { type } = useSearch({ strict: false })
  const { project, state } = useProjectData()
  const { data, error, refetch } = useQuery({ ...incidentQuery(project, id ?? ""), enabled: id !== undefined })
  if (state === "loading") return null
  if (id !== undefined && data === undefined)
    return error === null ? null : <PageError error={error} reset={() => void refetch()} />
  const maintenance = data?.maintenance ?? type === "maintenance"
  const title = data?.title ?? (maintenance ? t("New maintenance window") : t("New incident"))
  return (
    <div className="mx-auto flex max-w-4xl min-w-0 flex-col gap-5">
      <title>{`${title} · Kanmon`}</title>
      <Link
        {...(data === undefined
          ? { to: "/incidents", search: maintenance ? { view: "maintenance" } : {} }
          : { to: "/incidents/$id", params: { id: data.id } })}
        className="flex w-fit items-center gap-1.5 text-sm text-soft no-underline hover:text-ink pointer-coarse:min-h-11"
      >
        <Icon name="back" className="size-3.5 rtl:-scale-x-100" />
        {data === undefined ? t("Incidents") : t("Back")}
      </Link>
      <h1>
        <bdi className="line-clamp-3">{title}</bdi>
      </h1>
      {maintenance && data === undefined && (
        <p className="max-w-prose text-soft">
          {t("During the window checks go on, no alert is sent, and downtime does not count.")}
        </p>
      )}
      <IncidentForm
        key={`${id ?? "new"} ${String(maintenance)}`}
        maintenance={maintenance}
        {...(data === undefined ? {} : { incident: data })}
      />
    </div>
  )
}

export default restricted("incidents.write", IncidentEdit)
