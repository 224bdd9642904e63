/** `/monitors` */
import { lazy, Suspense, useState } from "react"
import { MonitorList } from "../features/monitors/MonitorList.tsx"
import { useVersion } from "../live/MonitorStore.ts"
import { useProjectData } from "../live/ProjectData.tsx"
import { t } from "../locales/text.ts"
import { Button, IconButton, RouteLink } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Menu } from "../ui/Menu.tsx"
import { EmptyState, Notice } from "../ui/Notice.tsx"

/** Loaded when it is opened, with what reads addresses, which is the editor's. */
const PasteMany = lazy(async () => {
  const [{ default: Component }, { guess }] = await Promise.all([
    import("../features/monitors/PasteMany.tsx"),
    import("../features/editor/guess.ts")
  ])
  return { default: (props: { readonly onClose: () => void }) => <Component guess={guess} {...props} /> }
})

const Monitors = () => {
  const { reload, state, store } = useProjectData()
  useVersion(store)
  const [isPasting, setPasting] = useState(false)
  const isEmpty = store.monitors.size === 0
  return (
    <>
      <title>{`${t("Monitors")} · Kanmon`}</title>
      <div className="mb-4 flex min-h-9 items-center justify-between gap-3">
        <h1>{t("Monitors")}</h1>
        {!isEmpty && (
          <div className="flex gap-2">
            <RouteLink kind="primary" to="/monitors/new">
              <Icon name="plus" />
              {t("New monitor")}
            </RouteLink>
            <Menu
              label={t("More")}
              button={
                <IconButton kind="plain" aria-label={t("More")}>
                  <Icon name="more" />
                </IconButton>
              }
              groups={[[{ id: "many", label: t("Add many monitors"), onAction: () => setPasting(true) }]]}
            />
          </div>
        )}
      </div>
      {state instanceof Error ? (
        <Notice actions={<Button onPress={reload}>{t("Try again")}</Button>}>{state.message}</Notice>
      ) : state === "loading" && isEmpty ? null : isEmpty ? (
        <EmptyState
          title={t("Nothing is watched yet")}
          actions={
            <>
              <RouteLink kind="primary" to="/monitors/new">
                {t("Create the first monitor")}
              </RouteLink>
              <Button onPress={() => setPasting(true)}>{t("Add many monitors")}</Button>
              <RouteLink kind="plain" to="/import">
                {t("Import from Uptime Kuma")}
              </RouteLink>
            </>
          }
        >
          {t("A monitor checks a website, a server or a job, and tells you when it fails.")}
        </EmptyState>
      ) : (
        <MonitorList />
      )}
      {isPasting && (
        <Suspense>
          <PasteMany onClose={() => setPasting(false)} />
        </Suspense>
      )}
    </>
  )
}

export default Monitors
