/** Operations on many monitors in words. */
import { formatLocale, t } from "../../locales/text.ts"
import { mainReason, type OperationRecord } from "./shownOperations.ts"

/** How far it is, or how it ended, in one sentence. */
export const operationWords = (operation: OperationRecord): string => {
  const { action, done, failed, status, total } = operation
  const figure = (value: number) => value.toLocaleString(formatLocale())
  const main =
    status === "running"
      ? action === "delete"
        ? t("{done} of {count} monitors deleted so far", { done: figure(done), count: figure(total) })
        : t("{done} of {count} monitors changed so far", { done: figure(done), count: figure(total) })
      : action === "delete"
        ? t("{done} of {count, plural, one {# monitor} other {# monitors}} deleted", {
            done: figure(done),
            count: total
          })
        : t("{done} of {count, plural, one {# monitor} other {# monitors}} changed", {
            done: figure(done),
            count: total
          })
  const left = total - done - failed
  return [
    status === "stopped" ? t("Stopped: {text}", { text: main }) : main,
    failed > 0 && t("{count} refused: {reason}", { count: figure(failed), reason: mainReason(operation) }),
    status === "stopped" && left > 0 && t("{count} left as they were", { count: figure(left) })
  ]
    .filter(Boolean)
    .join(" · ")
}
