/** The pages of a project: a column beside the page, and tabs below it on a phone. */
import { Link, useNavigate } from "@tanstack/react-router"
import { t } from "../locales/text.ts"
import { Button } from "../ui/Button.tsx"
import { Icon, type IconName } from "../ui/Icon.tsx"
import { Menu } from "../ui/Menu.tsx"

interface Page {
  readonly to: "/" | "/alerts" | "/on-call" | "/incidents" | "/monitors" | "/status-pages" | "/channels" | "/settings"
  readonly icon: IconName
  readonly label: () => string
}

/** In the order of how often they are opened. */
const pages: ReadonlyArray<Page> = [
  { to: "/", icon: "now", label: () => t("Now") },
  { to: "/monitors", icon: "monitors", label: () => t("Monitors") },
  { to: "/alerts", icon: "alerts", label: () => t("Alerts") },
  { to: "/on-call", icon: "onCall", label: () => t("On-call") },
  { to: "/incidents", icon: "incidents", label: () => t("Incidents") },
  { to: "/status-pages", icon: "pages", label: () => t("Status pages") },
  { to: "/channels", icon: "channels", label: () => t("Channels") },
  { to: "/settings", icon: "settings", label: () => t("Settings") }
]

/** The number of tabs that fit on a phone; the others are in a menu. */
const tabs = 4

const linkClass =
  "flex min-h-9 pointer-coarse:min-h-11 items-center gap-2.5 rounded-lg px-2.5 text-sm font-medium text-soft no-underline hover:bg-ink/6 hover:text-ink aria-[current=page]:bg-ink/8 aria-[current=page]:text-ink"

const tabClass =
  "flex min-h-14 min-w-0 flex-1 flex-col items-center justify-center gap-1 text-xs font-medium tracking-tight text-soft no-underline aria-[current=page]:text-accent"

export const Navigation = () => (
  <nav aria-label={t("Main")} className="flex flex-col gap-0.5">
    {pages.map(({ icon, label, to }) => (
      <Link key={to} to={to} className={linkClass}>
        <Icon name={icon} />
        {label()}
      </Link>
    ))}
  </nav>
)

export const TabBar = () => {
  const navigate = useNavigate()
  if (pages.length < 2) return null
  const more = pages.slice(tabs)
  return (
    <nav
      aria-label={t("Main")}
      className="fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-surface px-1 pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {pages.slice(0, tabs).map(({ icon, label, to }) => (
        <Link key={to} to={to} className={tabClass}>
          <Icon name={icon} className="size-5" />
          <span className="max-w-full truncate">{label()}</span>
        </Link>
      ))}
      {more.length > 0 && (
        <Menu
          label={t("More")}
          button={
            <Button kind="quiet" className={`${tabClass} gap-1! px-0!`}>
              <Icon name="more" className="size-5" />
              {t("More")}
            </Button>
          }
          groups={[
            more.map(({ icon, label, to }) => ({
              id: to,
              label: label(),
              icon: <Icon name={icon} />,
              onAction: () => void navigate({ to })
            }))
          ]}
        />
      )}
    </nav>
  )
}
