/** Shows who would be notified about a monitor, before it fails. */
import { useState } from "react"
import { usePolicies } from "../../api/policies.ts"
import { useMonitorChoices } from "../../live/names.ts"
import { t } from "../../locales/text.ts"
import { duration, moment } from "../../locales/time.ts"
import { ComboBox } from "../../ui/ComboBox.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Shape } from "../../ui/Status.tsx"
import { type Preview, usePreview, useRules } from "./queries.ts"
import { conditionsOf, countsFailures } from "./sentence.tsx"

const quietText = ({ by, until }: NonNullable<Preview["quiet"]>): string => {
  if (by === "paused") return t("The monitor is paused: it is not checked, so nothing is sent.")
  const at = until === null ? "" : moment(until)
  return by === "maintenance"
    ? t("The monitor is in maintenance until {at}: until then nothing is sent.", { at })
    : t("The monitor is silenced until {at}: until then nothing is sent.", { at })
}

const Answer = ({ preview }: { readonly preview: Preview }) => {
  const { data: rules } = useRules()
  const { data: policies } = usePolicies()
  /** The name of the policy of a rule; undefined without one. */
  const policyOf = (ruleId: string): string | undefined => {
    const policyId = rules?.find(({ id }) => id === ruleId)?.escalationPolicyId ?? null
    return policyId === null ? undefined : (policies?.find(({ id }) => id === policyId)?.name ?? "")
  }
  const watching = preview.rules.some(({ triggers }) => triggers.includes("monitor_down"))
  return (
    <div className="flex flex-col gap-3">
      {preview.quiet !== null && <Notice tone="maintenance">{quietText(preview.quiet)}</Notice>}
      {!watching && (
        <Notice tone="degraded">
          {t("No rule watches for outages of this monitor: nothing is sent when it is down.")}
        </Notice>
      )}
      <ol className="flex flex-col gap-3">
        {preview.rules.map((rule) => (
          <li key={rule.id} className="rounded-xl border border-line px-4 py-3">
            <p className="text-sm text-soft">
              {t("When it {conditions}", { conditions: conditionsOf(rule).join(", ") })}
              {countsFailures(rule) &&
                rule.consecutiveFailures > 1 &&
                ` · ${t("after {count, plural, one {# failed check} other {# failed checks}}", { count: rule.consecutiveFailures })}`}
              {rule.resendEvery > 0 &&
                ` · ${t("again every {duration}", { duration: duration(rule.resendEvery * 60) })}`}
            </p>
            <ul className="mt-1.5 flex flex-col gap-1">
              {rule.channels.map(({ blocked, id, name }) => (
                <li key={id} className="flex items-start gap-2">
                  <Shape tone={blocked === null ? "up" : "down"} className="mt-1" />
                  <span className="min-w-0">
                    <bdi className="font-medium">{name}</bdi>
                    {blocked !== null && <span className="text-sm text-down"> · {blocked}</span>}
                  </span>
                </li>
              ))}
              {policyOf(rule.id) !== undefined && (
                <li className="flex items-start gap-2">
                  <Shape tone="up" className="mt-1" />
                  <span className="min-w-0">
                    {t("Escalation policy")} <bdi className="font-medium">{policyOf(rule.id)}</bdi>
                  </span>
                </li>
              )}
              {rule.channels.length === 0 && policyOf(rule.id) === undefined && (
                <li className="flex items-start gap-2 text-sm">
                  <Shape tone="degraded" className="mt-0.5" />
                  {t("There is no channel, so nothing is sent.")}
                </li>
              )}
            </ul>
            <p className="mt-1.5 text-small text-soft">{t("By the rule {name}", { name: rule.name })}</p>
          </li>
        ))}
      </ol>
    </div>
  )
}

export const WhatWouldHappen = () => {
  const [id, setId] = useState<string | null>(null)
  const { data, error } = usePreview(id ?? undefined)
  const monitors = useMonitorChoices()
  return (
    <section className="mt-6 flex flex-col gap-4">
      <div>
        <h2>{t("What would happen?")}</h2>
        <p className="text-sm text-soft">{t("Choose a monitor to see who is notified about it. Nothing is sent.")}</p>
      </div>
      <ComboBox
        label={t("Monitor")}
        options={monitors}
        value={id}
        onChange={setId}
        placeholder={t("Search monitors")}
      />
      <div aria-live="polite">
        {error !== null && <Notice>{error.message}</Notice>}
        {data !== undefined && <Answer preview={data} />}
      </div>
    </section>
  )
}
