/** The senders of integrations in words. */
import type { IntegrationRecord } from "../../api/integrations.ts"
import { t } from "../../locales/text.ts"

export const typeWord = (type: IntegrationRecord["type"]): string =>
  type === "alertmanager" ? "Alertmanager" : type === "grafana" ? "Grafana" : t("Any JSON")
