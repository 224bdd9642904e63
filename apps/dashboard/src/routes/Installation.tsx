/** `/settings/installation`: the health of its parts, its plugins, and for administrators its probes, plans and what changed in it. */
import { useQuery } from "@tanstack/react-query"
import { Parts, useFirst, useFirsts } from "../api/Parts.tsx"
import { sessionQuery } from "../api/session.ts"
import { EntryList } from "../features/audit/EntryList.tsx"
import { PlanList } from "../features/billing/PlanList.tsx"
import { Accounts } from "../features/installation/Accounts.tsx"
import { Organizations } from "../features/installation/Organizations.tsx"
import { HealthOfParts } from "../features/installation/HealthOfParts.tsx"
import { Plugins } from "../features/installation/Plugins.tsx"
import { changesQuery, healthQuery, regionsQuery } from "../features/installation/queries.ts"
import { Regions } from "../features/installation/Regions.tsx"
import { useProjectData } from "../live/ProjectData.tsx"
import { t } from "../locales/text.ts"
import { Notice } from "../ui/Notice.tsx"

const Changes = () => {
  const { data } = useFirst(changesQuery)
  return (
    data != null &&
    data.length > 0 && (
      <section className="flex flex-col gap-3">
        <h2>{t("Changes of the installation")}</h2>
        <EntryList entries={data} search={{ scope: "account" }} />
      </section>
    )
  )
}

const Content = () => {
  // The answer about the regions says which parts the visitor sees.
  useFirsts(healthQuery, regionsQuery, sessionQuery)
  const { data: health, error } = useFirst(healthQuery)
  const { data: regions = null, error: regionsError } = useFirst(regionsQuery)
  const { data: session } = useQuery(sessionQuery)
  const { store } = useProjectData()
  const ownStale = [...store.monitors.values()].filter(({ stale }) => stale).length
  return (
    <Parts>
      {health === undefined && error !== null && <Notice>{error.message}</Notice>}
      {health !== undefined && <HealthOfParts health={health} withProbes={regions === null} />}
      {regions === null && regionsError !== null && <Notice>{regionsError.message}</Notice>}
      {regions !== null && <Regions regions={regions} ownStale={ownStale} version={health?.version} />}
      <Plugins />
      {regions !== null && <PlanList />}
      {regions !== null && session != null && <Accounts selfId={session.user.id} />}
      {regions !== null && <Organizations />}
      <Changes />
    </Parts>
  )
}

const Installation = () => (
  <>
    <title>{`${t("Installation")} · Kanmon`}</title>
    <Parts>
      <Content />
    </Parts>
  </>
)

export default Installation
