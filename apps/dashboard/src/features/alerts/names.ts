/** What alerts are called: their monitor, or the title that their sender gave them. */
import { useMonitorName } from "../../live/names.ts"
import { t } from "../../locales/text.ts"
import type { AlertRecord } from "./queries.ts"

export const useAlertName = ({
  drillId,
  monitorId,
  source
}: Pick<AlertRecord, "drillId" | "monitorId" | "source">): string => {
  const name = useMonitorName(monitorId ?? "")
  return drillId === null ? (source?.title ?? name) : t("Drill")
}
