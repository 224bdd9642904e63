/** `/channels`: where notifications go, and which alerts go there. */
import { useChannelTypes } from "../api/channelTypes.ts"
import { useMay } from "../api/permissions.ts"
import { usePolicies } from "../api/policies.ts"
import { ChannelList } from "../features/channels/ChannelList.tsx"
import { Gallery } from "../features/channels/Gallery.tsx"
import { useChannels } from "../features/channels/queries.ts"
import { useRules } from "../features/rules/queries.ts"
import { RuleList } from "../features/rules/RuleList.tsx"
import { WhatWouldHappen } from "../features/rules/WhatWouldHappen.tsx"
import { t } from "../locales/text.ts"
import { RouteLink } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Notice } from "../ui/Notice.tsx"
import { PageError } from "./Failures.tsx"
import { PageFrame } from "../ui/PageFrame.tsx"

const Channels = () => {
  const mayWrite = useMay("channels.write")
  const channels = useChannels()
  const rules = useRules()
  const policies = usePolicies()
  const types = useChannelTypes()
  const error = channels.error ?? rules.error
  if (error !== null && (channels.data === undefined || rules.data === undefined))
    return (
      <PageError
        error={error}
        reset={() => {
          void channels.refetch()
          void rules.refetch()
        }}
      />
    )
  if (channels.data === undefined || rules.data === undefined || policies.isLoading) return null
  const isEmpty = channels.data.length === 0
  return (
    <PageFrame
      title={t("Channels and rules")}
      width="text"
      actions={
        !isEmpty &&
        mayWrite && (
          <RouteLink to="/channels/new" search={{}} kind="primary">
            <Icon name="plus" />
            {t("New channel")}
          </RouteLink>
        )
      }
    >
      <section className="flex flex-col gap-4">
        {isEmpty ? (
          <>
            <Notice tone="degraded">
              {mayWrite
                ? t("Alerts are not sent anywhere until there is a channel. Choose where they should go.")
                : t("Alerts are not sent anywhere until there is a channel.")}
            </Notice>
            {types.data !== undefined && mayWrite && <Gallery types={types.data} />}
          </>
        ) : (
          <ChannelList channels={channels.data} />
        )}
      </section>
      <section className="mt-6 flex flex-col gap-4">
        <div className="flex min-h-9 flex-wrap items-center justify-between gap-3">
          <h2 className="text-lg">{t("Rules")}</h2>
          {mayWrite && (
            <RouteLink to="/rules/new" kind="plain">
              <Icon name="plus" />
              {t("New rule")}
            </RouteLink>
          )}
        </div>
        {rules.data.length === 0 ? (
          <Notice tone="degraded">{t("Without a rule, no alert opens.")}</Notice>
        ) : (
          <RuleList rules={rules.data} channels={channels.data} policies={policies.data ?? []} />
        )}
      </section>
      <WhatWouldHappen />
      <section className="mt-6 flex flex-col gap-2">
        <h2 className="text-lg">{t("Integrations")}</h2>
        <p className="text-sm text-soft">
          {t(
            "Alertmanager, Grafana or any program that posts JSON can send its alerts here: they notify and escalate as those of monitors do."
          )}
        </p>
        <div>
          <RouteLink to="/integrations">{t("Show integrations")}</RouteLink>
        </div>
      </section>
    </PageFrame>
  )
}

export default Channels
