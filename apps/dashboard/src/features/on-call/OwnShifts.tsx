/** The next shifts of the visitor, in all of their organizations. */
import type { OwnShifts as OwnShiftsSchema } from "@kanmon/protocol/ScheduleBody"
import { useQuery } from "@tanstack/react-query"
import { useOrganization } from "../../api/organizations.ts"
import { useFirsts } from "../../api/Parts.tsx"
import { t } from "../../locales/text.ts"
import { RouteLink } from "../../ui/Button.tsx"
import { useHeldShape } from "../../ui/held.ts"
import { Notice } from "../../ui/Notice.tsx"
import { useNow } from "../../browser/now.ts"
import { Section } from "../../ui/Section.tsx"
import { ownShiftsQuery, useHandoffs } from "./queries.ts"
import { momentWords, spanWords } from "./words.ts"

const maxShown = 5

/** The shifts of the visitor, asked for again at handoffs where its caller follows them; one may end before. */
const useOwnShifts = () => {
  const now = useNow()
  const { data, error } = useQuery(ownShiftsQuery)
  return { error, now, shifts: data?.filter(({ to }) => to === null || Date.parse(to) > now) }
}

type OwnShift = (typeof OwnShiftsSchema.Encoded)[number]

/** "now, until Mon 30 Nov, 09:00", "Mon 23 Nov, 09:00 – Mon 30 Nov, 09:00" */
const timeWords = ({ from, to }: OwnShift, now: number): string => {
  if (Date.parse(from) > now)
    return to === null ? t("from {at} on", { at: momentWords(from) }) : spanWords({ from, to })
  return to === null ? t("now, with no end in sight") : t("now, until {at}", { at: momentWords(to) })
}

export const OwnShifts = () => {
  useHandoffs()
  useFirsts(ownShiftsQuery)
  const organization = useOrganization()
  const { error, now, shifts: known } = useOwnShifts()
  const shown = known?.slice(0, maxShown)
  // What is below it would move.
  const { value: shifts } = useHeldShape(shown, String(shown?.length))
  return (
    <Section title={t("Your next shifts")}>
      {error !== null && shifts === undefined && <Notice>{error.message}</Notice>}
      {shifts?.length === 0 && <p className="text-sm text-soft">{t("None in the next 90 days.")}</p>}
      {shifts !== undefined && shifts.length > 0 && (
        <ul aria-label={t("Your next shifts")} className="-my-1 divide-y divide-line">
          {shifts.map((shift) => {
            const { from, organizationId, scheduleId, scheduleName } = shift
            return (
              <li
                key={`${scheduleId} ${from}`}
                className="flex min-h-11 flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 py-2.5 text-sm"
              >
                {organizationId === organization?.id ? (
                  <RouteLink
                    to="/on-call/schedules/$id"
                    params={{ id: scheduleId }}
                    search={{}}
                    className="inline-flex min-w-0 items-center font-medium break-words text-ink hover:underline pointer-coarse:min-h-11"
                  >
                    <bdi className="min-w-0">{scheduleName}</bdi>
                  </RouteLink>
                ) : (
                  <bdi className="min-w-0 font-medium break-words">{scheduleName}</bdi>
                )}
                <span className="text-soft tabular-nums">{timeWords(shift, now)}</span>
              </li>
            )
          })}
        </ul>
      )}
    </Section>
  )
}

/** The next shift of the visitor that has not begun, on Home; nothing without one. */
export const NextShift = () => {
  const { now, shifts } = useOwnShifts()
  const next = shifts?.find(({ from }) => Date.parse(from) > now)
  const { value: shown } = useHeldShape(next, String(next === undefined))
  return shown === undefined ? null : (
    <p className="text-small text-soft">
      {t("Your next shift: {span}, {schedule}", { span: timeWords(shown, now), schedule: shown.scheduleName })}
    </p>
  )
}
