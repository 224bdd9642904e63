/** `/monitors` */
import { MonitorList } from "../features/monitors/MonitorList.tsx"
import { useVersion } from "../live/MonitorStore.ts"
import { useProjectData } from "../live/ProjectData.tsx"
import { t } from "../locales/text.ts"
import { Button, RouteLink } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { EmptyState, Notice } from "../ui/Notice.tsx"

const Monitors = () => {
  const { reload, state, store } = useProjectData()
  useVersion(store)
  const isEmpty = store.monitors.size === 0
  return (
    <>
      <title>{`${t("Monitors")} · Kanmon`}</title>
      <div className="mb-4 flex min-h-9 items-center justify-between gap-3">
        <h1>{t("Monitors")}</h1>
        {!isEmpty && (
          <RouteLink kind="primary" to="/monitors/new">
            <Icon name="plus" />
            {t("New monitor")}
          </RouteLink>
        )}
      </div>
      {state instanceof Error ? (
        <Notice actions={<Button onPress={reload}>{t("Try again")}</Button>}>{state.message}</Notice>
      ) : state === "loading" && isEmpty ? null : isEmpty ? (
        <EmptyState
          title={t("Nothing is watched yet")}
          actions={
            <RouteLink kind="primary" to="/monitors/new">
              {t("Create the first monitor")}
            </RouteLink>
          }
        >
          {t("A monitor checks a website, a server or a job, and tells you when it fails.")}
        </EmptyState>
      ) : (
        <MonitorList />
      )}
    </>
  )
}

export default Monitors
