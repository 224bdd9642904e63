/** `/settings/installation`: the health of its parts, its plugins, and for administrators its probes, plans and what changed in it. */
import { useQuery } from "@tanstack/react-query"
import { sessionQuery } from "../api/session.ts"
import { Together } from "../api/Together.tsx"
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

const Installation = () => {
  const { data: health, error, isPending: isHealthAwaited } = useQuery(healthQuery)
  const { data: changes, isPending: areChangesAwaited } = useQuery(changesQuery)
  const { data: regions = null, error: regionsError, isPending: areRegionsAwaited } = useQuery(regionsQuery)
  const { data: session, isPending: isSessionAwaited } = useQuery(sessionQuery)
  const { store } = useProjectData()
  const ownStale = [...store.monitors.values()].filter(({ stale }) => stale).length
  // Which parts there are is known first: parts that begin to load after others were shown would push them down.
  if (isHealthAwaited || areChangesAwaited || areRegionsAwaited || isSessionAwaited)
    return <title>{`${t("Installation")} · Kanmon`}</title>
  return (
    <>
      <title>{`${t("Installation")} · Kanmon`}</title>
      <Together>
        {health === undefined && error !== null && <Notice>{error.message}</Notice>}
        {health !== undefined && <HealthOfParts health={health} withProbes={regions === null} />}
        {regions === null && regionsError !== null && <Notice>{regionsError.message}</Notice>}
        {regions !== null && <Regions regions={regions} ownStale={ownStale} version={health?.version} />}
        <Plugins />
        {regions !== null && <PlanList />}
        {regions !== null && session != null && <Accounts selfId={session.user.id} />}
        {regions !== null && <Organizations />}
        {changes !== undefined && changes !== null && changes.length > 0 && (
          <section className="flex flex-col gap-3">
            <h2>{t("Changes of the installation")}</h2>
            <EntryList entries={changes} search={{ scope: "account" }} />
          </section>
        )}
      </Together>
    </>
  )
}

export default Installation
