/** Keys that work on every page: Ctrl or Cmd and K open the palette, `g` and a letter go to a page, `?` lists the keys. */
import { useNavigate } from "@tanstack/react-router"
import { lazy, Suspense, useEffect, useState } from "react"
import { external } from "../browser/external.ts"
import { t } from "../locales/text.ts"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { useShortcuts } from "../ui/shortcuts.ts"
import { ahead } from "../ui/ahead.ts"

const loadPalette = () => import("./Palette.tsx")
const Palette = lazy(loadPalette)

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)
const paletteKeys = isApple ? "⌘ K" : "Ctrl+K"

const palette = external()

/** The visible way to the palette. */
export const PaletteButton = () => (
  <Button
    kind="quiet"
    className="border border-line text-soft max-md:min-w-9 max-md:px-2 md:justify-start"
    aria-keyshortcuts={isApple ? "Meta+K" : "Control+K"}
    onHoverStart={() => ahead(loadPalette)}
    onPress={palette.announce}
  >
    <Icon name="search" className="shrink-0" />
    <span className="flex-1 text-start max-md:sr-only">{t("Search")}</span>
    <kbd aria-hidden className="font-sans text-xs max-md:hidden">
      {paletteKeys}
    </kbd>
  </Button>
)

const ShortcutHelp = lazy(() => import("./ShortcutHelp.tsx"))

export const GlobalKeys = () => {
  const navigate = useNavigate()
  const [isHelpOpen, setHelpOpen] = useState(false)
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  useEffect(() => {
    const open = () => setPaletteOpen(true)
    // Also while something is typed.
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      setPaletteOpen((isOpen) => !isOpen)
    }
    const close = palette.subscribe(open)
    window.addEventListener("keydown", onKey)
    return () => {
      close()
      window.removeEventListener("keydown", onKey)
    }
  }, [])
  useShortcuts([
    { keys: paletteKeys, label: t("Search and commands"), run: () => setPaletteOpen(true) },
    { keys: "?", label: t("Show the keys"), run: () => setHelpOpen(true) },
    { keys: "g n", label: t("Go to Now"), run: () => void navigate({ to: "/" }) },
    { keys: "g m", label: t("Go to the monitors"), run: () => void navigate({ to: "/monitors" }) },
    { keys: "g a", label: t("Go to the alerts"), run: () => void navigate({ to: "/alerts" }) },
    { keys: "g o", label: t("Go to on-call"), run: () => void navigate({ to: "/on-call" }) },
    { keys: "g i", label: t("Go to the incidents"), run: () => void navigate({ to: "/incidents" }) },
    { keys: "g p", label: t("Go to the status pages"), run: () => void navigate({ to: "/status-pages" }) },
    { keys: "g c", label: t("Go to the channels"), run: () => void navigate({ to: "/channels" }) },
    { keys: "g s", label: t("Go to the settings"), run: () => void navigate({ to: "/settings" }) }
  ])
  return (
    <Suspense>
      {isHelpOpen && <ShortcutHelp onClose={() => setHelpOpen(false)} />}
      {isPaletteOpen && <Palette onClose={() => setPaletteOpen(false)} />}
    </Suspense>
  )
}
