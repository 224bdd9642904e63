/** The plan that holds now, how much of it is used, and what a late payment means. */
import { t } from "../../locales/text.ts"
import { duration } from "../../locales/time.ts"
import { classes } from "../../ui/classes.ts"
import { Notice } from "../../ui/Notice.tsx"
import { Moment } from "../../ui/Time.tsx"
import type { Plan, SubscriptionRecord } from "./queries.ts"

const unlimited = -1
/** From here on the bar warns. */
const nearlyFull = 0.9

export const Usage = ({
  plan,
  subscription
}: {
  readonly plan: Plan | undefined
  readonly subscription: SubscriptionRecord
}) => {
  const { cancelAt, graceEndsAt, monitorsShared: used, monitorsUsed: own } = subscription
  const limit = plan === undefined || plan.monitors === unlimited ? undefined : plan.monitors
  return (
    <div className="flex flex-col gap-3">
      {graceEndsAt !== null && (
        <Notice tone="degraded">
          {t("A payment is overdue. Without it the plan ends on this day:")} <Moment at={graceEndsAt} />
        </Notice>
      )}
      {cancelAt !== null && (
        <Notice tone="maintenance">
          {t("The subscription ends on this day:")} <Moment at={cancelAt} />
        </Notice>
      )}
      <div className="flex flex-col gap-1.5">
        <p className="flex flex-wrap justify-between gap-x-4 text-sm">
          <span className="font-medium">{t("Monitors")}</span>
          <span className="tabular-nums">
            {limit === undefined ? t("{used}, without a limit", { used }) : t("{used} of {limit}", { used, limit })}
          </span>
        </p>
        {limit !== undefined && (
          <div
            role="meter"
            aria-label={t("Monitors")}
            aria-valuemin={0}
            aria-valuemax={Math.max(limit, used)}
            aria-valuenow={used}
            className="h-2 overflow-hidden rounded-full bg-ink/10"
          >
            <div
              className={classes("h-full rounded-full", used >= limit * nearlyFull ? "bg-degraded" : "bg-accent")}
              style={{ width: `${Math.min(100, (used / limit) * 100)}%` }}
            />
          </div>
        )}
        {limit !== undefined && used > own && (
          <p className="text-sm text-soft">
            {t(
              "{others} of them are in other organizations without a subscription that the same account founded: they share this plan.",
              { others: used - own }
            )}
          </p>
        )}
        {limit !== undefined && used >= limit && (
          <p className="text-sm text-soft">
            {t(
              "Another monitor is refused until one is deleted or the plan is changed. Existing ones are still checked."
            )}
          </p>
        )}
      </div>
      {plan !== undefined && (
        <p className="text-sm text-soft">
          {t("Checks at most every {interval}", { interval: duration(plan.checkInterval) })}
        </p>
      )}
    </div>
  )
}
