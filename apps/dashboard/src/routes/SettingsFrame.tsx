/** The common frame of the settings: their heading and navigation. */
import { Link, Outlet } from "@tanstack/react-router"
import { useOrganization } from "../api/organizations.ts"
import { isOfOrganization, type Permission, permits } from "../api/permissions.ts"
import { useProjectData } from "../live/ProjectData.tsx"
import { t } from "../locales/text.ts"
import { PageFrame } from "../ui/PageFrame.tsx"

interface Page {
  readonly to: string
  readonly label: () => string
  /** The permission that is needed to see it. */
  readonly needs?: Permission
}

const pages: ReadonlyArray<Page> = [
  { to: "/settings", label: () => t("Project") },
  { to: "/settings/account", label: () => t("Account") },
  { to: "/settings/notifications", label: () => t("Notifications") },
  { to: "/settings/organization", label: () => t("Organization") },
  { to: "/settings/members", label: () => t("Members") },
  { to: "/settings/sign-on", label: () => t("Single sign-on"), needs: "sso.read" },
  { to: "/settings/audit", label: () => t("Audit log"), needs: "audit.read" },
  { to: "/settings/billing", label: () => t("Billing"), needs: "billing.read" },
  { to: "/settings/installation", label: () => t("Installation") }
]

const SettingsFrame = () => {
  const { role } = useProjectData().project
  const organization = useOrganization()
  const may = (permission: Permission): boolean => {
    const counting = isOfOrganization(permission) ? organization?.role : role
    return counting !== undefined && permits(counting, permission)
  }
  return (
    <PageFrame title={t("Settings")} isNamedByPart>
      <nav aria-label={t("Settings")} className="flex flex-wrap gap-1">
        {pages
          .filter(({ needs }) => needs === undefined || may(needs))
          .map(({ label, to }) => (
            <Link
              key={to}
              to={to}
              activeOptions={{ exact: true, includeSearch: false }}
              className="inline-flex min-h-9 items-center rounded-lg px-3 text-sm font-medium text-soft no-underline hover:bg-ink/6 hover:text-ink aria-[current=page]:bg-ink/8 aria-[current=page]:text-ink pointer-coarse:min-h-11"
            >
              {label()}
            </Link>
          ))}
      </nav>
      <div className="flex max-w-3xl min-w-0 flex-col gap-4">
        <Outlet />
      </div>
    </PageFrame>
  )
}

export default SettingsFrame
