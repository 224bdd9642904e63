/**
 * Every result of a monitor, newest first: one line each, and one for all of a run that found the same. Each check opens to its votes
 * and to what the target answered.
 */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import { useSubmit } from "../../api/useSubmit.ts"
import { isPast, shownTime } from "../../browser/now.ts"
import { useMonitorName } from "../../live/names.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { millis, millisParts } from "../../locales/time.ts"
import { regionName } from "../../locales/regionName.ts"
import { reasonText } from "../../locales/reasons.ts"
import { t, type Text } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { Select } from "../../ui/Choice.tsx"
import { csvOfRows } from "../../ui/csv.ts"
import { idOf } from "../../ui/held.ts"
import { HeldList } from "../../ui/HeldList.tsx"
import { More } from "../../ui/PagedList.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { save } from "../../ui/save.ts"
import { Section } from "../../ui/Section.tsx"
import { Shape } from "../../ui/Status.tsx"
import { Moment, Range } from "../../ui/Time.tsx"
import { Capture } from "./Capture.tsx"
import { type Check, type CheckRun, runsOf, spanOf, tableOf } from "./checkRuns.ts"
import { OpeningRow } from "./OpeningRow.tsx"
import { checksQuery, detailQuery, readChecks } from "./queries.ts"
import { toneOfResult, wordOfResult } from "./results.ts"
import { Stages } from "../../ui/Stages.tsx"

const CheckDetails = ({ check, id }: { readonly check: Check; readonly id: string }) => {
  const { project } = useProjectData()
  const { data, error } = useQuery(detailQuery(project, id, check.id))
  return (
    <div className="flex min-w-0 flex-col gap-3 pb-4 sm:ps-7">
      <Stages timing={check.timing} />
      {error !== null && <Notice>{error.message}</Notice>}
      {data !== undefined && data.votes.length > 0 && (
        <ul aria-label={t("Other regions at that time")} className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
          {data.votes.map(({ region, responseTime, status }) => (
            <li key={region} className="flex items-center gap-1.5">
              <Shape tone={toneOfResult(status)} />
              {regionName(region)} · {wordOfResult(status)}
              {responseTime !== null && ` · ${millis(responseTime)}`}
            </li>
          ))}
        </ul>
      )}
      {data?.capture != null && <Capture capture={data.capture} />}
      {data !== undefined && data.capture === null && check.status === "down" && (
        <p className="text-small text-soft">{t("The response is not kept for this check.")}</p>
      )}
    </div>
  )
}

/** The columns of every line, so that the eye runs down each of them; one below the other where there is little room. */
const line =
  "flex flex-wrap gap-x-2 xl:grid xl:gap-x-4 xl:grid-cols-[7.5rem_14rem_6rem_6.5rem_4.5rem_minmax(0,1fr)] xl:items-baseline"

const checksWords = (count: number): string => t("{count, plural, one {# check} other {# checks}}", { count })

const Why = ({ failure }: Pick<Check, "failure">) => {
  const text = failure === null ? undefined : reasonText(failure)
  return (
    <bdi className="line-clamp-2 min-w-0 xl:line-clamp-1" title={text}>
      {text}
    </bdi>
  )
}

const Line = ({
  check: { failure, status, statusCode },
  count = 1,
  region,
  time,
  when
}: {
  readonly check: Check
  /** How many checks the line stands for. */
  readonly count?: number
  readonly when: ReactNode
  readonly region: string
  readonly time: ReactNode
}) => (
  <span className={line}>
    <span className="font-medium">
      {wordOfResult(status)}
      {count > 1 && (
        <span className="font-normal text-soft tabular-nums">
          {" "}
          <span aria-hidden="true">× {count}</span>
          <span className="sr-only">{checksWords(count)}</span>
        </span>
      )}
    </span>
    <span className="text-soft tabular-nums">{when}</span>
    <span className="truncate text-soft">{region}</span>
    <span className="tabular-nums xl:text-end">{time}</span>
    <span className="text-soft tabular-nums">{statusCode !== null && `HTTP ${statusCode}`}</span>
    <Why failure={failure} />
  </span>
)

const Row = ({ check, id }: { readonly check: Check; readonly id: string }) => (
  <OpeningRow
    tone={toneOfResult(check.status)}
    className="py-1.5"
    details={() => <CheckDetails check={check} id={id} />}
  >
    <Line
      check={check}
      when={<Moment at={check.checkedAt} />}
      region={regionName(check.region)}
      time={check.responseTime !== null && millis(check.responseTime)}
    />
  </OpeningRow>
)

/** Checks that found the same: one line, which opens to them. */
const Run = ({ id, run: { checks } }: { readonly run: CheckRun; readonly id: string }) => {
  const [newest] = checks
  const regions = [...new Set(checks.map(({ region }) => region))]
  const span = spanOf(checks)
  if (checks.length === 1) return <Row check={newest} id={id} />
  return (
    <OpeningRow
      tone={toneOfResult(newest.status)}
      className="py-1.5"
      details={() => (
        <ul aria-label={checksWords(checks.length)} className="mb-2 divide-y divide-line border-s-2 border-line ps-3">
          {checks.map((check) => (
            <li key={check.id}>
              <Row check={check} id={id} />
            </li>
          ))}
        </ul>
      )}
    >
      <Line
        check={newest}
        count={checks.length}
        when={<Range from={checks.at(-1)!.checkedAt} to={newest.checkedAt} />}
        region={
          regions.length === 1
            ? regionName(regions[0]!)
            : t("{count, plural, one {# region} other {# regions}}", { count: regions.length })
        }
        time={
          span !== undefined &&
          (span[0] === span[1] ? millis(span[0]) : `${millisParts(span[0])[0]}–${millis(span[1])}`)
        }
      />
    </OpeningRow>
  )
}

const any = "any"
const day = 86_400_000
const ranges = { 1: "24 hours", 7: "7 days", 30: "30 days", 90: "90 days" } as const satisfies Record<number, Text>

/** More than a spreadsheet is good for. */
const mostSaved = 20_000
/** Milliseconds between looks for new checks, while few pages are open. */
const lookEvery = 15_000

export const CheckLog = ({ id }: { readonly id: string }) => {
  const { project } = useProjectData()
  const name = useMonitorName(id)
  const [status, setStatus] = useState<Check["status"] | typeof any>(any)
  const [region, setRegion] = useState(any)
  const [days, setDays] = useState<keyof typeof ranges>(30)
  // Read when the range is chosen: the pages of one list begin at one moment.
  const [began, setBegan] = useState(shownTime)
  const [regions, setRegions] = useState<ReadonlyArray<string>>([])
  const {
    errors: { general: failure },
    isBusy,
    submit
  } = useSubmit()
  const filter = {
    status: status === any ? undefined : status,
    region: region === any ? undefined : region,
    from: new Date(began - days * day).toISOString(),
    to: isPast() ? new Date(began).toISOString() : undefined
  }
  const query = useInfiniteQuery({
    ...checksQuery(project, id, filter),
    refetchInterval: ({ state }) => (isPast() || (state.data?.pages.length ?? 0) > 2 ? false : lookEvery)
  })
  const checks = query.data?.pages.flatMap(({ items }) => items)
  const found = (checks ?? []).map(({ region }) => region)
  const seen = [...new Set([...regions, ...found])].toSorted()
  if (seen.length > regions.length) setRegions(seen)

  const saveAll = () =>
    submit(async () => {
      const checks = await readChecks(project, id, filter, mostSaved)
      save(new Blob([csvOfRows(tableOf(checks))], { type: "text/csv" }), `${name}.csv`)
    })

  return (
    <Section
      title={t("Checks")}
      actions={
        <Button onPress={() => void saveAll()} isDisabled={isBusy}>
          <Icon name="download" />
          CSV
        </Button>
      }
    >
      {failure !== undefined && <Notice>{failure}</Notice>}
      <div className="grid grid-cols-2 gap-3 sm:max-w-2xl sm:grid-cols-3">
        <Select
          label={t("Status")}
          value={status}
          onChange={setStatus}
          options={[
            { id: any, label: t("All") },
            ...(["up", "degraded", "down", "unknown"] as const).map((id) => ({ id, label: wordOfResult(id) }))
          ]}
        />
        <Select
          label={t("Region")}
          value={region}
          onChange={setRegion}
          options={[{ id: any, label: t("All") }, ...seen.map((id) => ({ id, label: regionName(id) }))]}
        />
        <Select
          label={t("Period")}
          value={String(days)}
          onChange={(chosen) => {
            setDays(Number(chosen) as keyof typeof ranges)
            setBegan(shownTime())
          }}
          options={Object.entries(ranges).map(([id, text]) => ({ id, label: t(text) }))}
        />
      </div>
      <HeldList
        items={checks === undefined ? undefined : runsOf(checks)}
        error={query.error}
        reset={`${status} ${region} ${days} ${query.data?.pages.length ?? 0}`}
        keyOf={idOf}
        label={t("Checks")}
        className="flex flex-col divide-y divide-line"
        empty={<p className="py-8 text-center text-soft">{t("No checks of this kind in this period.")}</p>}
      >
        {(run) => <Run run={run} id={id} />}
      </HeldList>
      <More query={query}>{t("Older")}</More>
    </Section>
  )
}
