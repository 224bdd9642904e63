/** `/monitors` */
import { useNavigate } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { useMay } from "../api/permissions.ts"
import { MonitorList } from "../features/monitors/MonitorList.tsx"
import { useVersion } from "../live/MonitorStore.ts"
import { useProjectData } from "../live/ProjectData.tsx"
import { t } from "../locales/text.ts"
import { Button, IconButton, RouteLink } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Menu } from "../ui/Menu.tsx"
import { Notice } from "../ui/Notice.tsx"
import { PageFrame } from "../ui/PageFrame.tsx"

/** Loaded when it is opened, with what reads addresses, which is the editor's. */
const PasteMany = lazy(async () => {
  const [{ default: Component }, { guess }] = await Promise.all([
    import("../features/monitors/PasteMany.tsx"),
    import("../features/editor/guess.ts")
  ])
  return { default: (props: { readonly onClose: () => void }) => <Component guess={guess} {...props} /> }
})

/** Loaded when there is nothing to list. */
const FirstMonitor = lazy(async () => ({ default: (await import("./Welcome.tsx")).FirstMonitor }))

const Monitors = () => {
  const navigate = useNavigate()
  const { reload, state, store } = useProjectData()
  useVersion(store)
  const [isPasting, setPasting] = useState(false)
  const [isBegun, setBegun] = useState(false)
  const mayWrite = useMay("monitors.write")
  const isEmpty = store.monitors.size === 0
  // A started onboarding stays, although its monitor may be in the list before it is finished.
  const isWelcome = (isEmpty && state === "ready") || isBegun
  return (
    <PageFrame
      title={t("Monitors")}
      heading={isWelcome ? t("Nothing is watched yet") : t("Monitors")}
      actions={
        !mayWrite ? null : isWelcome ? (
          <Button onPress={() => setPasting(true)}>{t("Add many monitors")}</Button>
        ) : (
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
              groups={[
                [
                  { id: "many", label: t("Add many monitors"), onAction: () => setPasting(true) },
                  {
                    id: "guided",
                    label: t("Guide me: test first, save later"),
                    onAction: () => void navigate({ to: "/welcome", search: {} })
                  },
                  {
                    id: "import",
                    label: t("Import from Uptime Kuma"),
                    onAction: () => void navigate({ to: "/import" })
                  }
                ]
              ]}
            />
          </div>
        )
      }
    >
      {state instanceof Error ? (
        <Notice actions={<Button onPress={reload}>{t("Try again")}</Button>}>{state.message}</Notice>
      ) : isEmpty && !isWelcome ? null : isWelcome && !mayWrite ? (
        <p className="text-soft">{t("Editors of the project can add monitors.")}</p>
      ) : isWelcome ? (
        <Suspense>
          <p className="mb-5 text-soft">
            {t("A monitor checks a website, a server or a job, and tells you when it fails.")}
          </p>
          <FirstMonitor onBegin={() => setBegun(true)} />
        </Suspense>
      ) : (
        <MonitorList />
      )}
      {isPasting && (
        <Suspense>
          <PasteMany onClose={() => setPasting(false)} />
        </Suspense>
      )}
    </PageFrame>
  )
}

export default Monitors
