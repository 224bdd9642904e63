/** Every result of a monitor, newest first; each opens to its votes and to what the target answered. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useProjectData } from "../../live/ProjectData.tsx"
import { millis } from "../../locales/time.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { Select } from "../../ui/Choice.tsx"
import { idOf } from "../../ui/held.ts"
import { Icon } from "../../ui/Icon.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Section } from "../../ui/Section.tsx"
import { Shape } from "../../ui/Status.tsx"
import { Moment } from "../../ui/Time.tsx"
import { Capture } from "./Capture.tsx"
import { OpeningRow } from "./OpeningRow.tsx"
import { PagedList } from "./PagedList.tsx"
import { type Check, checksQuery, detailQuery } from "./queries.ts"
import { regionName, toneOfResult, wordOfResult } from "./results.ts"
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
        <p className="text-small text-soft">{t("What the target answered is not kept for this check.")}</p>
      )}
    </div>
  )
}

const Row = ({ check, id }: { readonly check: Check; readonly id: string }) => {
  const { checkedAt, failure, region, responseTime, status, statusCode } = check
  return (
    <OpeningRow tone={toneOfResult(status)} details={() => <CheckDetails check={check} id={id} />}>
      <span className="flex flex-wrap gap-x-2">
        <span className="font-medium">{wordOfResult(status)}</span>
        <span className="text-soft">
          <Moment at={checkedAt} />
        </span>
        <span className="text-soft">{regionName(region)}</span>
        {responseTime !== null && <span>{millis(responseTime)}</span>}
        {statusCode !== null && <span className="text-soft">{`HTTP ${statusCode}`}</span>}
      </span>
      {failure !== null && <bdi className="block">{failure.message}</bdi>}
    </OpeningRow>
  )
}

const any = "any"

export const CheckLog = ({ id }: { readonly id: string }) => {
  const { project } = useProjectData()
  const [status, setStatus] = useState<Check["status"] | typeof any>(any)
  const [region, setRegion] = useState(any)
  const [regions, setRegions] = useState<ReadonlyArray<string>>([])
  const query = useInfiniteQuery(
    checksQuery(project, id, {
      status: status === any ? undefined : status,
      region: region === any ? undefined : region
    })
  )
  const found = (query.data?.pages ?? []).flatMap(({ items }) => items.map(({ region }) => region))
  const seen = [...new Set([...regions, ...found])].toSorted()
  if (seen.length > regions.length) setRegions(seen)
  return (
    <Section
      title={t("Checks")}
      actions={
        <Button onPress={() => void query.refetch()}>
          <Icon name="refresh" />
          {t("Refresh")}
        </Button>
      }
    >
      <div className="grid grid-cols-2 gap-3 sm:max-w-md">
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
      </div>
      <PagedList
        query={query}
        filter={`${status} ${region}`}
        keyOf={idOf}
        label={t("Checks")}
        empty={<p className="py-8 text-center text-soft">{t("No checks of this kind in the last 30 days.")}</p>}
      >
        {(check) => <Row check={check} id={id} />}
      </PagedList>
    </Section>
  )
}
