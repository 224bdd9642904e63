/** The person or program that handled an alert, in the same words everywhere. */
import type { AlertActor } from "@kanmon/domain/Alert"
import { t } from "./text.ts"

export const actorWords = (actor: AlertActor | null): string => {
  if (actor === null) return t("an unknown person")
  const { kind, name } = actor
  if (kind === "user") return name
  if (kind === "integration") return t("the integration {name}", { name })
  return kind === "key" ? t("the API key {name}", { name }) : t("the link sent to {name}", { name })
}
