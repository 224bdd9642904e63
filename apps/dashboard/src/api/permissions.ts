/**
 * Permissions of the visitor's role. The tables are those of `@kanmon/domain/Role`, which the build reads. In a project
 * its own role counts, which may be higher than the one in the organization; for the organization itself the latter
 * counts.
 */
import type { Permission, Role } from "@kanmon/domain/Role"
import { minimumOrganizationRole, minimumRole, roles } from "virtual:roles"
import { useOrganization } from "./organizations.ts"
import { isPast } from "../browser/now.ts"
import { useProject } from "./session.ts"

export type { Permission, Role } from "@kanmon/domain/Role"

/** From the fewest rights to the most. */
export const allRoles: ReadonlyArray<Role> = roles

const minimum: Readonly<Record<Permission, Role>> = { ...minimumRole, ...minimumOrganizationRole }

export const isOfOrganization = (permission: Permission): boolean => permission in minimumOrganizationRole

/** The role that a group of operations requires at least. */
export const roleFor = (permission: Permission): Role => minimum[permission]

/** Whether a role includes another one. */
export const includes = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed)

/** Whether a role may use a group of operations. */
export const permits = (role: Role, permission: Permission): boolean => includes(role, roleFor(permission))

/** The role of the visitor that counts for a group of operations; undefined until it is known. */
export const useRoleFor = (permission: Permission): Role | undefined => {
  const project = useProject()
  const organization = useOrganization({ isNeeded: isOfOrganization(permission) })
  return isOfOrganization(permission) ? organization?.role : project?.role
}

/** Whether the visitor may use a group of operations now; false until that is known, and for all that writes in the past. */
export const useMay = (permission: Permission): boolean => {
  const role = useRoleFor(permission)
  return role !== undefined && permits(role, permission) && !(isPast() && !permission.endsWith(".read"))
}
