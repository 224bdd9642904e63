/** The types of channels and contact methods as people call them. */
import { t } from "./text.ts"

/** How products write their own names; a type that is not here is shown by its own name. */
const brands: Readonly<Record<string, string>> = {
  discord: "Discord",
  matrix: "Matrix",
  mattermost: "Mattermost",
  ntfy: "ntfy",
  opsgenie: "Opsgenie",
  pagerduty: "PagerDuty",
  pushover: "Pushover",
  slack: "Slack",
  sms: "SMS",
  teams: "Microsoft Teams",
  telegram: "Telegram"
}

/** The name of a new channel: its type, and where it leads as far as that may be read. */
export const channelNameOf = (type: string, title: string, destination: string | undefined): string => {
  const name = nameOf(type, title)
  return destination === undefined ? name : t("{type} to {destination}", { type: name, destination })
}

/** A type as people call it. `title` is what its plugin says, where that is known. */
export const nameOf = (type: string, title = type): string => {
  if (type === "email") return t("Email|channel")
  if (type === "phone") return t("Phone call")
  if (type === "webhook") return t("Webhook")
  return brands[type] ?? title
}
