/** `/incidents/new` and `/incidents/$id/edit` */
import { useQuery } from "@tanstack/react-query"
import { useParams, useSearch } from "@tanstack/react-router"
import { IncidentForm } from "../features/incidents/IncidentForm.tsx"
import { incidentQuery } from "../features/incidents/queries.ts"
import { useProjectData } from "../live/ProjectData.tsx"
import { t } from "../locales/text.ts"
import { PageError } from "./Failures.tsx"
import { restricted } from "./restricted.tsx"
import { BackLink, PageFrame } from "../ui/PageFrame.tsx"

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
    <PageFrame
      title={title}
      back={
        data === undefined ? (
          <BackLink to="/incidents" search={maintenance ? { view: "maintenance" } : {}}>
            {t("Incidents")}
          </BackLink>
        ) : (
          <BackLink to="/incidents/$id" params={{ id: data.id }}>
            {t("Back")}
          </BackLink>
        )
      }
    >
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
    </PageFrame>
  )
}

export default restricted("incidents.write", IncidentEdit)
