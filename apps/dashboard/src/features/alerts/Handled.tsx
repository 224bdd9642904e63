/** Who handles an alert, and whether its notifications failed. */
import { actorWords } from "../../locales/actors.ts"
import { t } from "../../locales/text.ts"
import { duration } from "../../locales/time.ts"
import { Moment } from "../../ui/Time.tsx"
import type { AlertRecord } from "./queries.ts"
import { filterWord } from "./words.ts"

/** The person who handles the alert, or its duration. */
export const Handled = ({ alert }: { readonly alert: AlertRecord }) => {
  const { acknowledgedBy, note, resolvedAt, snoozedBy, snoozedUntil, startedAt, state } = alert
  if (state === "resolved" && resolvedAt !== null)
    return (
      <>
        {t("Resolved after {duration}", {
          duration: duration((Date.parse(resolvedAt) - Date.parse(startedAt)) / 1000)
        })}
      </>
    )
  if (state === "acknowledged" && acknowledgedBy !== null)
    return (
      <bdi>
        {note === null
          ? t("Acknowledged by {name}", { name: actorWords(acknowledgedBy) })
          : t("Acknowledged by {name}: {note}", { name: actorWords(acknowledgedBy), note })}
      </bdi>
    )
  if (state === "snoozed" && snoozedUntil !== null)
    return (
      <>
        <bdi>{t("Snoozed by {name}", { name: actorWords(snoozedBy) })}</bdi> · {t("Until")} <Moment at={snoozedUntil} />
      </>
    )
  return <>{filterWord(state)}</>
}

/** How many notifications failed, before what else is said in the line. Nothing when none did. */
export const Failed = ({ alert }: { readonly alert: AlertRecord }) => {
  const failed = alert.entries.filter(({ status }) => status === "failed").length
  return (
    failed > 0 && (
      <span className="font-medium text-down">
        {t("{count, plural, one {# notification failed} other {# notifications failed}}", { count: failed })}
        {" · "}
      </span>
    )
  )
}
