/** The course of a policy for a monitor, a severity and an instant, computed by the rules of real alerts. */
import type { EscalationPreview } from "@kanmon/protocol/EscalationPolicyBody"
import { keepPreviousData } from "@tanstack/react-query"
import { useState } from "react"
import type { Policy } from "../../../api/policy.ts"
import { reasonOf } from "../../../api/problem.ts"
import { request } from "../../../api/request.ts"
import { useFirst } from "../../../api/Parts.tsx"
import { useMonitorChoices } from "../../../live/names.ts"
import { nameOf } from "../../../locales/channelNames.ts"
import { listWords } from "../../../locales/lists.ts"
import { severities, type Severity, severityWord } from "../../../locales/severities.ts"
import { t } from "../../../locales/text.ts"
import { duration } from "../../../locales/time.ts"
import { Select } from "../../../ui/Choice.tsx"
import { ComboBox } from "../../../ui/ComboBox.tsx"
import { TextField } from "../../../ui/Field.tsx"
import { Notice } from "../../../ui/Notice.tsx"
import { Section } from "../../../ui/Section.tsx"
import { localText } from "../override.ts"
import { momentWords, personName } from "../words.ts"
import { type Entry, groupsOf, ownersAreTold } from "./course.ts"
import type { Directory } from "./queries.ts"
import { channelName } from "./words.ts"

type Preview = typeof EscalationPreview.Encoded

/** "Ada by Email", "Ops" */
const pageName = ({ channelId, methodType, userId }: Entry, directory: Directory): string => {
  if (userId === null) return channelName(directory, channelId)
  const name = personName(directory.people, userId)
  return methodType === null ? name : t("{name} by {method}", { name, method: nameOf(methodType) })
}

const Course = ({
  directory,
  onExhausted,
  preview: { entries, heldUntil, truncated, warnings },
  start
}: {
  readonly preview: Preview
  readonly onExhausted: Policy["onExhausted"]
  readonly directory: Directory
  /** When the alert opens. */
  readonly start: number
}) => (
  <div className="flex min-w-0 flex-col gap-3">
    {heldUntil !== null && (
      <Notice tone="maintenance">
        {t("Maintenance or a silence holds the escalation until {at}.", { at: momentWords(heldUntil) })}
      </Notice>
    )}
    {warnings.map(({ message, path }) => (
      <Notice key={path} tone="degraded">
        {message}
      </Notice>
    ))}
    <ol aria-label={t("What would happen")} className="divide-y divide-line">
      {groupsOf(entries).map(({ at, ends, reachesNoOne, round, sent, step, waiting }) => {
        const seconds = Math.round((Date.parse(at) - start) / 1000)
        const names = sent.map((page) => pageName(page, directory))
        if (ends) {
          if (onExhausted !== null) names.push(channelName(directory, onExhausted.channelId))
          if (ownersAreTold(entries, onExhausted)) names.push(t("The owners of the organization"))
        }
        return (
          <li key={`${at} ${round} ${step}`} className="grid gap-x-4 py-2 text-sm sm:grid-cols-[11.5rem_minmax(0,1fr)]">
            <span className="font-medium tabular-nums">
              {seconds <= 0 ? t("At once") : t("After {duration}", { duration: duration(seconds) })}
              <span className="block text-small font-normal text-soft">{momentWords(at)}</span>
            </span>
            <span className="min-w-0 break-words">
              {names.length > 0 && <bdi>{listWords(names)}</bdi>}
              {[...waiting].map(([until, pages]) => (
                <span key={until} className="block">
                  {t("{names} waits until quiet hours end: {at}", {
                    names: listWords(pages.map((page) => pageName(page, directory))),
                    at: momentWords(until)
                  })}
                </span>
              ))}
              {reachesNoOne && (
                <span className="font-medium text-degraded">{t("Reaches no one; the next step follows at once")}</span>
              )}
              <span className="block text-small text-soft">
                {step === null
                  ? t("after the last round")
                  : round === 0
                    ? t("step {step}", { step: step + 1 })
                    : t("round {round}, step {step}", { round: round + 1, step: step + 1 })}
              </span>
            </span>
          </li>
        )
      })}
    </ol>
    {truncated && <p className="text-small text-soft">{t("There is more than is shown.")}</p>}
  </div>
)

export const WhatWouldHappen = ({
  directory,
  organizationId,
  policy: { id: policyId, onExhausted }
}: {
  readonly organizationId: string
  readonly policy: Policy
  readonly directory: Directory
}) => {
  const monitors = useMonitorChoices()
  const [monitorId, setMonitor] = useState<string | null>(null)
  const [severity, setSeverity] = useState<Severity>("critical")
  const [at, setAt] = useState(() => localText(Date.now()))
  const start = new Date(at).getTime()
  const isTime = at !== "" && Number.isFinite(start)
  const { data, error } = useFirst({
    queryKey: ["policies", organizationId, "preview", policyId, monitorId, severity, at],
    queryFn: ({ signal }) =>
      request("POST /organizations/:organizationId/escalation-policies/:policyId/preview", {
        params: { organizationId, policyId },
        query: { at: new Date(start).toISOString(), severity, ...(monitorId === null ? {} : { monitorId }) },
        body: {},
        signal
      }),
    enabled: isTime,
    placeholderData: keepPreviousData,
    staleTime: 0,
    retry: false
  })
  return (
    <Section title={t("What would happen at…?")}>
      <div className="grid min-w-0 items-start gap-4 sm:grid-cols-3">
        <ComboBox
          label={t("Monitor")}
          options={monitors}
          value={monitorId}
          onChange={setMonitor}
          placeholder={t("Any")}
        />
        <Select
          label={t("Severity")}
          value={severity}
          onChange={setSeverity}
          options={severities.map((id) => ({ id, label: severityWord(id) }))}
        />
        <TextField label={t("The alert opens")} type="datetime-local" value={at} onChange={setAt} isRequired />
      </div>
      <div aria-live="polite" className="min-w-0">
        {error !== null ? (
          <Notice tone="degraded">{reasonOf(error)}</Notice>
        ) : data === undefined ? null : (
          <Course preview={data} onExhausted={onExhausted} directory={directory} start={start} />
        )}
      </div>
      <p className="text-small text-soft">
        {t("If no one answers. People are told by their own notification rules. Nothing is sent now.")}
      </p>
    </Section>
  )
}
