/** The types of channels there are, those of other people's plugins too. */
import type { ChannelTypeRecord } from "@kanmon/protocol/PluginBody"
import { t } from "../../locales/text.ts"
import { byName } from "../../ui/collation.ts"
import { RouteLink } from "../../ui/Button.tsx"
import { useHeldBy } from "../../ui/held.ts"

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

export const nameOf = (type: string): string => {
  if (type === "email") return t("Email")
  if (type === "phone") return t("Phone call")
  if (type === "webhook") return t("Webhook")
  return brands[type] ?? type
}

const typeOf = ({ type }: ChannelTypeRecord): string => type

export const Gallery = ({ types }: { readonly types: ReadonlyArray<ChannelTypeRecord> }) => {
  const held = useHeldBy(
    types.toSorted((a, b) => Number(b.ready) - Number(a.ready) || byName(nameOf(a.type), nameOf(b.type))),
    typeOf
  )
  return (
    <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
      {held.rows.map(({ ready, summary, type }) => (
        <li key={type} className="flex">
          <RouteLink
            to="/channels/new"
            search={{ type }}
            className="flex min-h-20 w-full flex-col gap-0.5 rounded-xl border border-line bg-surface px-4 py-3 no-underline hover:border-accent"
          >
            <span className="font-medium text-ink">{nameOf(type)}</span>
            <span className="text-[0.8125rem] text-soft">{summary}</span>
            {!ready && (
              <span className="is-degraded text-[0.8125rem] text-(--tone)">{t("Not configured on this server")}</span>
            )}
          </RouteLink>
        </li>
      ))}
    </ul>
  )
}
