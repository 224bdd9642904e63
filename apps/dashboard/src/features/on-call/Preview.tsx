/** The shifts that a form would make, while it is filled in. */
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { reasonOf } from "../../api/problem.ts"
import { request } from "../../api/request.ts"
import { onCallKey } from "../../api/schedules.ts"
import { listWords } from "../../locales/lists.ts"
import { t } from "../../locales/text.ts"
import { Notice } from "../../ui/Notice.tsx"
import { useNow } from "../../browser/now.ts"
import { bodyOf, isWhole, newBodyOf, type ScheduleDraft } from "./draft.ts"
import type { People } from "./queries.ts"
import { type Badge, spanOf, twoWeeks } from "./timeline.ts"
import { Timeline } from "./Timeline.tsx"
import { personName, spanWords } from "./words.ts"

/** Milliseconds without a key after which the preview is asked for. */
const rest = 400
const maxGaps = 2

const previewQuery = (
  organizationId: string,
  scheduleId: string | undefined,
  text: string,
  { from, to }: { readonly from: number; readonly to: number }
) =>
  queryOptions({
    queryKey: [...onCallKey, organizationId, "preview", scheduleId, text, from],
    queryFn: ({ signal }) => {
      const query = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
      const params = { organizationId }
      return scheduleId === undefined
        ? request("POST /organizations/:organizationId/schedules/preview", {
            params,
            query,
            body: JSON.parse(text) as ReturnType<typeof newBodyOf>,
            signal
          })
        : request("POST /organizations/:organizationId/schedules/:scheduleId/preview", {
            params: { ...params, scheduleId },
            query,
            body: JSON.parse(text) as ReturnType<typeof bodyOf>,
            signal
          })
    },
    placeholderData: keepPreviousData,
    retry: false
  })

/** A value as it was when it last did not change for a while. */
const useRested = (value: string): string => {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), rest)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}

export const Preview = ({
  badges,
  before,
  draft,
  organizationId,
  people,
  scheduleId
}: {
  readonly organizationId: string
  /** Undefined for a new schedule. */
  readonly scheduleId: string | undefined
  readonly draft: ScheduleDraft
  /** The schedule as the form began with it. */
  readonly before: ScheduleDraft | undefined
  readonly people: People
  readonly badges: ReadonlyMap<string, Badge>
}) => {
  const now = Math.floor(useNow() / 60_000) * 60_000
  const body = before === undefined ? newBodyOf(draft) : bodyOf(draft, before)
  // The name decides nothing, and may be missing yet.
  const text = useRested(JSON.stringify({ ...body, name: "Preview" }))
  const edges = twoWeeks(undefined, now)
  const isReady = isWhole(draft)
  const { data, error } = useQuery({
    ...previewQuery(organizationId, scheduleId, text, spanOf(edges)),
    enabled: isReady
  })
  if (!isReady) return <p className="text-sm text-soft">{t("Each layer needs a name, people and a first day.")}</p>
  if (error !== null) return <Notice tone="degraded">{reasonOf(error)}</Notice>
  if (data === undefined) return null
  const movedPeople = data.movedUserIds.map((id) => personName(people, id))
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Timeline shifts={data} edges={edges} now={now} badges={badges} nameOf={(id) => personName(people, id)} />
      <div role="status" className="flex flex-col gap-1 text-small">
        {data.gaps.slice(0, maxGaps).map((gap) => (
          <p key={gap.from} className="font-medium text-degraded">
            {t("No one is on call {time}.", { time: spanWords(gap) })}
          </p>
        ))}
        {data.gaps.length > maxGaps && (
          <p className="text-degraded">
            {t("{count, plural, one {And # more gap} other {And # more gaps}}", { count: data.gaps.length - maxGaps })}
          </p>
        )}
        {data.gaps.length === 0 && <p className="text-soft">{t("Somebody is on call at all these times.")}</p>}
        {scheduleId !== undefined && movedPeople.length > 0 && (
          <p className="text-soft">
            {t("Shifts of the next 90 days move for: {names}.", { names: listWords(movedPeople) })}
          </p>
        )}
      </div>
    </div>
  )
}
