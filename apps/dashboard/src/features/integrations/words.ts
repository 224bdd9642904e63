/** The senders of integrations in words. */
import type { IntegrationRecord } from "../../api/integrations.ts"
import { t } from "../../locales/text.ts"

type Type = IntegrationRecord["type"]

const words: Readonly<Record<Type, () => string>> = {
  alertmanager: () => "Alertmanager",
  grafana: () => "Grafana",
  generic: () => t("Any JSON")
}

export const types = Object.keys(words) as ReadonlyArray<Type>

export const typeWord = (type: Type): string => words[type]()
