/** Keys that work on every page: `g` and a letter go to a page, `?` lists the keys. */
import { useNavigate } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { t } from "../locales/text.ts"
import { useShortcuts } from "../ui/shortcuts.ts"

const ShortcutHelp = lazy(() => import("./ShortcutHelp.tsx"))

export const GlobalKeys = () => {
  const navigate = useNavigate()
  const [isHelpOpen, setHelpOpen] = useState(false)
  useShortcuts([
    { keys: "?", label: t("Show the keys"), run: () => setHelpOpen(true) },
    { keys: "g n", label: t("Go to Now"), run: () => void navigate({ to: "/" }) },
    { keys: "g m", label: t("Go to the monitors"), run: () => void navigate({ to: "/monitors" }) },
    { keys: "g a", label: t("Go to the alerts"), run: () => void navigate({ to: "/alerts" }) },
    { keys: "g i", label: t("Go to the incidents"), run: () => void navigate({ to: "/incidents" }) },
    { keys: "g p", label: t("Go to the status pages"), run: () => void navigate({ to: "/status-pages" }) },
    { keys: "g c", label: t("Go to the channels"), run: () => void navigate({ to: "/channels" }) },
    { keys: "g s", label: t("Go to the settings"), run: () => void navigate({ to: "/settings" }) }
  ])
  return isHelpOpen ? (
    <Suspense>
      <ShortcutHelp onClose={() => setHelpOpen(false)} />
    </Suspense>
  ) : null
}
