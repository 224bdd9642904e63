/** What the visitor's role in the project allows. The tables are those of `@kanmon/domain/Role`, which the build reads. */
import type { Permission, Role } from "@kanmon/domain/Role"
import { minimumOrganizationRole, minimumRole, roles } from "virtual:roles"
import { useProject } from "./session.ts"

export type { Permission } from "@kanmon/domain/Role"

const minimum: Readonly<Record<Permission, Role>> = { ...minimumRole, ...minimumOrganizationRole }

/** The role that a group of operations requires at least. */
export const roleFor = (permission: Permission): Role => minimum[permission]

/** Whether a role includes another one. */
export const includes = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed)

/** Whether a role may use a group of operations. */
export const permits = (role: Role, permission: Permission): boolean => includes(role, roleFor(permission))

/** Whether the visitor may use a group of operations in the current project; false until that is known. */
export const useMay = (permission: Permission): boolean => {
  const project = useProject()
  return project !== undefined && permits(project.role, permission)
}
