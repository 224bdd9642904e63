/** Pages that only some roles may use. Others are told why, instead of a form that is refused when it is sent. */
import type { ComponentType } from "react"
import { isOfOrganization, type Permission, permits, roleFor, useRoleFor } from "../api/permissions.ts"
import { useOrganization } from "../api/organizations.ts"
import { useProject } from "../api/session.ts"
import { roleName, roleRights } from "../locales/roles.ts"
import { t } from "../locales/text.ts"
import { RouteLink } from "../ui/Button.tsx"
import { EmptyState } from "../ui/Notice.tsx"

export const restricted = (permission: Permission, Page: ComponentType): ComponentType => {
  const Restricted = () => {
    const project = useProject()
    const organization = useOrganization({ isNeeded: isOfOrganization(permission) })
    const role = useRoleFor(permission)
    if (role === undefined) return null
    if (permits(role, permission)) return <Page />
    return (
      <EmptyState
        whole
        title={t("Your role does not allow this")}
        actions={
          <RouteLink kind="plain" to="/">
            {t("Go to Now")}
          </RouteLink>
        }
      >
        <p>
          {t("Your role in {project} is {role}: {rights}.", {
            project: (isOfOrganization(permission) ? organization?.name : project?.name) ?? "",
            role: roleName(role),
            rights: roleRights(role)
          })}
        </p>
        <p className="mt-2">
          {t(
            "This page needs the role {role} or a higher one. An administrator of the organization can give it to you.",
            {
              role: roleName(roleFor(permission))
            }
          )}
        </p>
      </EmptyState>
    )
  }
  return Restricted
}
