/**
 * The records that the visitor may create besides monitors, and the open dialog: the menu and the palette open them.
 */
import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { organizationsQuery } from "../api/organizations.ts"
import { permits } from "../api/permissions.ts"
import { sessionQuery } from "../api/session.ts"
import { external } from "../browser/external.ts"
import { t } from "../locales/text.ts"

export type Creation = "organization" | "project"

export const creationWord = (creation: Creation): string =>
  creation === "project" ? t("New project") : t("New organization")

let current: Creation | undefined
const opened = external(() => current)

export const openCreation = (creation: Creation | undefined): void => {
  current = creation
  opened.announce()
}

export const useCreation = opened.use

/** Projects where the role allows it; organizations always, but not as somebody else. */
export const useMayCreate = (): ReadonlyArray<Creation> => {
  const { data: organizations } = useQuery(organizationsQuery)
  const { data: session } = useQuery(sessionQuery)
  const isOwn = session != null && session.session.impersonatedBy == null
  return useMemo(
    () => [
      ...(organizations?.some(({ role }) => permits(role, "projects.create")) === true ? (["project"] as const) : []),
      ...(isOwn ? (["organization"] as const) : [])
    ],
    [organizations, isOwn]
  )
}
