/** How far the escalation of an alert is, and what comes next. */
import { t } from "../../locales/text.ts"
import { moment } from "../../locales/time.ts"
import type { AlertRecord } from "./queries.ts"

/** The step that can be run now; undefined without a policy. */
export const nextStepOf = ({ escalation, state }: AlertRecord): number | undefined =>
  state === "resolved" || escalation === null || escalation.policyId === null ? undefined : escalation.nextStep

export const Escalating = ({ alert: { escalation, state } }: { readonly alert: AlertRecord }) => {
  if (escalation === null || state !== "open" || escalation.policyId === null) return null
  const { held, nextAt, status, step } = escalation
  const text = held
    ? t("A silence or maintenance holds the escalation.")
    : status === "exhausted"
      ? t("The policy is over, and no one has answered.")
      : nextAt === null
        ? undefined
        : step === null
          ? t("The round is over at {at}, unless somebody acknowledges.", { at: moment(nextAt) })
          : t("Step {number} follows at {at}, unless somebody acknowledges.", { number: step + 1, at: moment(nextAt) })
  return text === undefined ? null : <p className="mt-1 text-sm">{text}</p>
}
