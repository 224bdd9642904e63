/** What alerts are called: their monitor, or the title that their sender gave them. */
import { useMonitorName } from "../../live/names.ts"
import type { AlertRecord } from "./queries.ts"

export const useAlertName = ({ monitorId, source }: Pick<AlertRecord, "monitorId" | "source">): string => {
  const name = useMonitorName(monitorId ?? "")
  return source?.title ?? name
}
