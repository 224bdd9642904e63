/** Every signal of a job, newest first; each opens to the output of the job. That is text of the job: shown as text, never interpreted. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { ApiError } from "../../api/problem.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { formatLocale, t, type Text } from "../../locales/text.ts"
import { millis } from "../../locales/time.ts"
import { Button } from "../../ui/Button.tsx"
import { Select } from "../../ui/Choice.tsx"
import { idOf } from "../../ui/held.ts"
import { Icon } from "../../ui/Icon.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Section } from "../../ui/Section.tsx"
import { Moment } from "../../ui/Time.tsx"
import { PagedList } from "../../ui/PagedList.tsx"
import { OpeningRow } from "./OpeningRow.tsx"
import { type SignalRecord, signalsQuery, signalTextQuery } from "./queries.ts"

type Kind = SignalRecord["kind"]

const kinds: Readonly<Record<Kind, { readonly word: Text; readonly tone: "up" | "down" | "quiet" }>> = {
  success: { word: "Success", tone: "up" },
  start: { word: "Start", tone: "quiet" },
  fail: { word: "Failure", tone: "down" },
  log: { word: "Log", tone: "quiet" }
}
const allKinds: ReadonlyArray<Kind> = ["success", "start", "fail", "log"]

const bytes = (size: number): string =>
  new Intl.NumberFormat(formatLocale(), {
    style: "unit",
    unit: size < 1000 ? "byte" : "kilobyte",
    maximumFractionDigits: 0
  }).format(size < 1000 ? size : size / 1000)

const Said = ({ id, signal }: { readonly id: string; readonly signal: SignalRecord }) => {
  const { project } = useProjectData()
  const { data, error } = useQuery(signalTextQuery(project, id, signal.id))
  const { address, metrics, truncated } = signal
  return (
    <div className="flex min-w-0 flex-col gap-2 pb-4 sm:ps-7">
      <p className="flex flex-wrap gap-x-4 text-small text-soft">
        {address !== null && <bdi className="font-mono">{address}</bdi>}
        {Object.entries(metrics).map(([name, value]) => (
          <bdi key={name} className="font-mono">{`${name} = ${value}`}</bdi>
        ))}
      </p>
      {error !== null && (
        <Notice>
          {error instanceof ApiError && error.status === 404
            ? t("The output of the job is no longer kept.")
            : error.message}
        </Notice>
      )}
      {data === "" && <p className="text-small text-soft">{t("The job wrote nothing with this signal.")}</p>}
      {data !== undefined && data !== "" && (
        <pre
          dir="auto"
          // Long texts scroll, which the keyboard must be able to do too.
          tabIndex={0}
          role="region"
          aria-label={t("Output of the job")}
          className="max-h-96 overflow-auto rounded-lg bg-ink/6 px-3 py-2 font-mono text-small whitespace-pre-wrap break-all"
        >
          {data}
        </pre>
      )}
      {truncated && <p className="text-small text-soft">{t("Only the beginning and the end are kept.")}</p>}
    </div>
  )
}

export const SignalRow = ({ id, signal }: { readonly id: string; readonly signal: SignalRecord }) => {
  const { at, durationSeconds, exitCode, firstLine, kind, size } = signal
  return (
    <OpeningRow tone={kinds[kind].tone} details={() => <Said id={id} signal={signal} />}>
      <span className="flex flex-wrap gap-x-2">
        <span className="font-medium">{t(kinds[kind].word)}</span>
        <span className="text-soft">
          <Moment at={at} />
        </span>
        {exitCode !== null && <span>{t("Exit code {code}", { code: exitCode })}</span>}
        {durationSeconds !== null && <span>{millis(durationSeconds * 1000)}</span>}
        {size > 0 && <span className="text-soft">{bytes(size)}</span>}
      </span>
      {firstLine !== null && <bdi className="block break-words">{firstLine}</bdi>}
    </OpeningRow>
  )
}

const any = "any"

export const SignalLog = ({ id }: { readonly id: string }) => {
  const { project } = useProjectData()
  const [kind, setKind] = useState<Kind | typeof any>(any)
  const query = useInfiniteQuery(signalsQuery(project, id, kind === any ? undefined : kind))
  return (
    <Section
      title={t("Signals")}
      actions={
        <Button onPress={() => void query.refetch()}>
          <Icon name="refresh" />
          {t("Refresh")}
        </Button>
      }
    >
      <div className="sm:max-w-52">
        <Select
          label={t("Kind of signal")}
          value={kind}
          onChange={setKind}
          options={[{ id: any, label: t("All") }, ...allKinds.map((id) => ({ id, label: t(kinds[id].word) }))]}
        />
      </div>
      <PagedList
        more={t("Older")}
        query={query}
        filter={kind}
        keyOf={idOf}
        label={t("Signals")}
        empty={<p className="py-8 text-center text-soft">{t("No signals of this kind in the last 30 days.")}</p>}
      >
        {(signal) => <SignalRow signal={signal} id={id} />}
      </PagedList>
    </Section>
  )
}
