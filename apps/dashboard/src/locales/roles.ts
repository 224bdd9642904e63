/** The roles in words. */
import type { Role } from "@kanmon/domain/Role"
import { type Text, t } from "./text.ts"

const names: Readonly<Record<Role, Text>> = {
  viewer: "Viewer",
  responder: "Responder",
  editor: "Editor",
  admin: "Administrator",
  owner: "Owner"
}

/** The permissions of each role, and their limits. */
const rights: Readonly<Record<Role, Text>> = {
  viewer: "Can see everything but secrets; cannot act",
  responder: "Can acknowledge alerts and write incidents; cannot edit",
  editor: "Can edit monitors, channels, rules and status pages; cannot manage people or keys",
  admin: "Can manage members, projects and keys; cannot pay, set up single sign-on or delete the organization",
  owner: "Can do everything"
}

export const roleName = (role: Role): string => t(names[role])

export const roleRights = (role: Role): string => t(rights[role])

/** The options of a field, from the fewest rights to the most. */
export const roleOptions = <Given extends Role>(roles: ReadonlyArray<Given>) =>
  roles.map((id) => ({ id, label: roleName(id), help: roleRights(id) }))
