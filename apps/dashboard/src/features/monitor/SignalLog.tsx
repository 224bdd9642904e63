/** Every signal of a job, newest first; each opens to the output of the job. That is text of the job: shown as text, never interpreted. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { Button as AriaButton } from "react-aria-components"
import { ApiError } from "../../api/problem.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { formatLocale, t, type Text } from "../../locales/text.ts"
import { millis } from "../../locales/time.ts"
import { Button } from "../../ui/Button.tsx"
import { Select } from "../../ui/Choice.tsx"
import { goneClass, useHeld } from "../../ui/held.ts"
import { Icon } from "../../ui/Icon.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Section } from "../../ui/Section.tsx"
import { Shape } from "../../ui/Status.tsx"
import { Moment } from "../../ui/Time.tsx"
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
      <p className="flex flex-wrap gap-x-4 text-[0.8125rem] text-soft">
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
      {data === "" && <p className="text-[0.8125rem] text-soft">{t("The job wrote nothing with this signal.")}</p>}
      {data !== undefined && data !== "" && (
        <pre
          dir="auto"
          // Long texts scroll, which the keyboard must be able to do too.
          tabIndex={0}
          role="region"
          aria-label={t("Output of the job")}
          className="max-h-96 overflow-auto rounded-lg bg-ink/6 px-3 py-2 font-mono text-[0.8125rem] whitespace-pre-wrap break-all"
        >
          {data}
        </pre>
      )}
      {truncated && <p className="text-[0.8125rem] text-soft">{t("Only the beginning and the end are kept.")}</p>}
    </div>
  )
}

const Row = ({
  id,
  isGone,
  signal
}: {
  readonly id: string
  readonly isGone: boolean
  readonly signal: SignalRecord
}) => {
  const [isOpen, setOpen] = useState(false)
  const { at, durationSeconds, exitCode, firstLine, kind, size } = signal
  return (
    <li className={isGone ? goneClass : undefined}>
      <AriaButton
        aria-expanded={isOpen}
        onPress={() => setOpen(!isOpen)}
        className="flex min-h-11 w-full cursor-default items-start gap-2.5 py-2 text-start text-sm hover:bg-ink/4"
      >
        <Shape tone={kinds[kind].tone} className="mt-0.5" />
        <span className="min-w-0 flex-1">
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
        </span>
        <Icon name="chevron" className={`mt-0.5 shrink-0 text-soft ${isOpen ? "rotate-180" : ""}`} />
      </AriaButton>
      {isOpen && <Said id={id} signal={signal} />}
    </li>
  )
}

const any = "any"

export const SignalLog = ({ id }: { readonly id: string }) => {
  const { project } = useProjectData()
  const [kind, setKind] = useState(any)
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage, refetch } = useInfiniteQuery(
    signalsQuery(project, id, kind === any ? undefined : kind)
  )
  const signals = data?.pages.flatMap(({ items }) => items)
  const held = useHeld(signals, `${kind} ${data?.pages.length ?? 0}`)
  return (
    <Section
      title={t("Signals")}
      actions={
        <Button onPress={() => void refetch()}>
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
      {error !== null && <Notice>{error.message}</Notice>}
      {signals?.length === 0 && (
        <p className="py-8 text-center text-soft">{t("No signals of this kind in the last 30 days.")}</p>
      )}
      {signals !== undefined && signals.length > 0 && (
        <ul className="flex flex-col divide-y divide-line">
          {held.rows.map((signal) => (
            <Row key={signal.id} signal={signal} id={id} isGone={held.isGone(signal)} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button onPress={() => void fetchNextPage()} isDisabled={isFetchingNextPage} className="self-start">
          {t("Older")}
        </Button>
      )}
    </Section>
  )
}
