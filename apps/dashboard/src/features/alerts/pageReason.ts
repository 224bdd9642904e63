/** Why a person was paged, in words: as the message said it. */
import { t } from "../../locales/text.ts"
import { moment } from "../../locales/time.ts"
import type { TimelineRecord } from "./escalation.ts"

type Reason = NonNullable<NonNullable<TimelineRecord["page"]>["reason"]>

const inWords = ({ from, kind, name: given, note, policy, until }: Reason): string => {
  const name = given ?? ""
  switch (kind) {
    case "on_call":
      return until === null
        ? t("On call in {name}", { name })
        : t("On call in {name} until {at}", { name, at: moment(until) })
    case "next_on_call":
      return from === null
        ? t("Next on call in {name}", { name })
        : t("Next on call in {name}, from {at}", { name, at: moment(from) })
    case "team":
      return t("Member of the team {name}", { name })
    case "person":
      return policy === null ? t("By name in the policy") : t("By name in the policy {policy}", { policy })
    case "asked":
      return note === null ? t("Asked by {name}", { name }) : t("Asked by {name}: {note}", { name, note })
    case "acknowledgement_ended":
      return t("Acknowledged the alert, and that no longer holds")
    case "no_one_reached":
      return t("As an owner: no one was reached")
    case "no_one_answered":
      return t("As an owner: no one answered")
    default:
      return ""
  }
}

const place = ({ kind, policy, step }: Reason): string => {
  if (step === null) return ""
  return policy === null || kind === "person"
    ? t("step {number}", { number: step + 1 })
    : t("step {number} of {policy}", { number: step + 1, policy })
}

/** "On call in Primary until 30 Nov 2026, 09:00:00 · step 2 of Shop". */
export const reasonWords = (reason: Reason): string => [inWords(reason), place(reason)].filter(Boolean).join(" · ")
