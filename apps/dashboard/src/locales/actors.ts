/** Who handled an alert, in words: everywhere the same, from the dashboard, a program or a link in a notification. */
import type { AlertActor } from "@kanmon/domain/Alert"
import { t } from "./text.ts"

export const actorWords = (actor: AlertActor | null): string => {
  if (actor === null) return t("an unknown person")
  const { kind, name } = actor
  if (kind === "user") return name
  return kind === "key" ? t("the API key {name}", { name }) : t("the link sent to {name}", { name })
}
