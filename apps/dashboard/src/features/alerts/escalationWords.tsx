/** The entries of an escalation in words. */
import type { ReactNode } from "react"
import { actorWords } from "../../locales/actors.ts"
import { nameOf } from "../../locales/channelNames.ts"
import { t, type Text } from "../../locales/text.ts"
import { moment } from "../../locales/time.ts"
import type { Tone } from "../../ui/Status.tsx"
import type { TimelineRecord } from "./escalation.ts"
import { reasonWords } from "./pageReason.ts"

type Page = NonNullable<TimelineRecord["page"]>

interface Words {
  readonly tone: Tone
  readonly title: string
  readonly body?: ReactNode
}

const outcomes: Readonly<Record<Page["outcome"], { readonly tone: Words["tone"]; readonly title: Text }>> = {
  pending: { tone: "degraded", title: "Page to {name} is under way" },
  reached: { tone: "up", title: "Page to {name}" },
  failed: { tone: "down", title: "Page to {name} failed" },
  dropped: { tone: "quiet", title: "Page to {name} was taken back" }
}

/** What the person did at the device. */
const replies = {
  acknowledged: "acknowledged from the device",
  escalated: "escalated from the device",
  declined: "answered with the key that changes nothing",
  no_answer: "no one answered",
  failed: "not delivered by the provider"
} as const satisfies Record<NonNullable<Page["reply"]>, string>

/** "Ada by SMS", "the channel #ops" */
const whom = ({ channelId, channelName, methodType, userName }: Page): string => {
  if (channelId !== null) return channelName ?? t("A deleted channel")
  const name = userName ?? t("A former member")
  return methodType === null ? name : t("{name} by {method}", { name, method: nameOf(methodType) })
}

const pageWords = (page: Page): Words => {
  const { alerts, answeredAt, attempts, detail, heldUntil, outcome, reason, reply } = page
  const why = reason === null ? "" : reasonWords(reason)
  if (heldUntil !== null)
    return {
      tone: "maintenance",
      title: t("Page to {name} waits for the end of quiet hours", { name: whom(page) }),
      body: withReason(
        why,
        t("It is sent at {at}, unless somebody answers or the alert is over by then.", { at: moment(heldUntil) })
      )
    }
  const { title, tone } = outcomes[outcome]
  const notes = [
    attempts.length > 1 ? t("{count, plural, one {# attempt} other {# attempts}}", { count: attempts.length }) : "",
    alerts > 1
      ? t("{count, plural, one {in one message with # other alert} other {in one message with # other alerts}}", {
          count: alerts - 1
        })
      : "",
    reply === null ? "" : t(replies[reply]),
    answeredAt === null ? "" : t("answered {at}", { at: moment(answeredAt) })
  ].filter(Boolean)
  const text = [detail ?? "", ...notes].filter(Boolean).join(" · ")
  return { tone, title: t(title, { name: whom(page) }), ...(why + text === "" ? {} : { body: withReason(why, text) }) }
}

/** Why the person was paged, above the rest: names in it are of any direction. */
const withReason = (why: string, text: string): ReactNode => (
  <>
    {why === "" ? null : <bdi className="block whitespace-pre-line">{why}</bdi>}
    {text === "" ? null : <bdi>{text}</bdi>}
  </>
)

/** An entry in words; undefined for those that the page of the alert says itself, and for kinds that it does not know. */
export const wordsOf = (entry: TimelineRecord): Words | undefined => {
  const { note, page, round, step, target, type, until } = entry
  const name = entry.by === null ? t("Kanmon") : actorWords(entry.by)
  const body = note === null || note === "" ? {} : { body: <bdi className="whitespace-pre-line">{note}</bdi> }
  switch (type) {
    case "page":
      return page === null ? undefined : pageWords(page)
    case "step_ran":
      return {
        tone: "quiet",
        title:
          (round ?? 0) === 0
            ? t("Step {number} begins", { number: (step ?? 0) + 1 })
            : t("Round {round}, step {step} begins", { round: (round ?? 0) + 1, step: (step ?? 0) + 1 })
      }
    case "nobody_reached":
      return { tone: "degraded", title: t("Reaches no one; the next step follows at once") }
    case "exhausted":
      return { tone: "down", title: t("The policy is over, and no one has answered") }
    case "held":
      return { tone: "maintenance", title: t("Held by a silence or maintenance") }
    case "released":
      return { tone: "quiet", title: t("No longer held: the policy begins again") }
    case "acknowledged":
      return { tone: "quiet", title: t("Acknowledged by {name}", { name }), ...body }
    case "unacknowledged":
      return { tone: "degraded", title: t("Acknowledgement taken back by {name}", { name }) }
    case "acknowledgement_ended":
      return { tone: "degraded", title: t("The acknowledgement has ended: the alert is open again") }
    case "snoozed":
      return {
        tone: "quiet",
        title:
          until === null
            ? t("Snoozed by {name}", { name })
            : t("Snoozed by {name} until {at}", { name, at: moment(until) })
      }
    case "escalated":
      return { tone: "degraded", title: t("Escalated by {name}", { name }) }
    case "asked":
      return { tone: "degraded", title: t("{name} asked for {target}", { name, target: target ?? "" }), ...body }
    default:
      return undefined
  }
}
