/** A schedule: who is on call, two weeks or a month of shifts, overrides, layers, and its calendar. */
import { useNavigate } from "@tanstack/react-router"
import { type ReactNode, useEffect, useState } from "react"
import type { OrganizationRecord } from "../../api/organizations.ts"
import { permits } from "../../api/permissions.ts"
import { Parts, useFirst, useFirsts } from "../../api/Parts.tsx"
import { listWords } from "../../locales/lists.ts"
import { formatLocale, t, type Text } from "../../locales/text.ts"
import { ownZone } from "../../locales/time.ts"
import { hoursWords } from "../../locales/weekdays.ts"
import { Button, RouteLink } from "../../ui/Button.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { useHeldShape } from "../../ui/held.ts"
import { useNow } from "../../browser/now.ts"
import { Dialog } from "../../ui/Overlay.tsx"
import { Shape } from "../../ui/Status.tsx"
import { Section } from "../../ui/Section.tsx"
import { CalendarAddress } from "./CalendarAddress.tsx"
import { OnCallRow } from "./OnCallRow.tsx"
import { type Draft, localText } from "./override.ts"
import { OverrideForm } from "./OverrideForm.tsx"
import { Overrides } from "./Overrides.tsx"
import { type Gap, onCallQuery, type People, type Schedule, shiftsQuery, useHandoffs } from "./queries.ts"
import type { ScheduleSearch } from "./scheduleSearch.ts"
import { ShiftList } from "./ShiftList.tsx"
import { TakeOver } from "./TakeOver.tsx"
import { monthWeeks, peopleIn, spanOf, turned, twoWeeks } from "./timeline.ts"
import { Month, Timeline } from "./Timeline.tsx"
import { useBadges } from "./useBadges.ts"
import { dayWords, layerWords, personName, spanWords } from "./words.ts"

/** Gaps that are told in words; more are in the list. */
const maxGaps = 3

const Gaps = ({ gaps: given }: { readonly gaps: ReadonlyArray<Gap> }) => {
  // What is below it would move.
  const { value: gaps } = useHeldShape(given, String(Math.min(given.length, maxGaps + 1)))
  return gaps.length === 0 ? null : (
    <Notice tone="degraded">
      {gaps.slice(0, maxGaps).map((gap) => (
        <p key={gap.from}>{t("No one is on call {time}.", { time: spanWords(gap) })}</p>
      ))}
      {gaps.length > maxGaps && (
        <p>{t("{count, plural, one {And # more gap} other {And # more gaps}}", { count: gaps.length - maxGaps })}</p>
      )}
    </Notice>
  )
}

const warnings: Readonly<Record<Schedule["warnings"][number]["code"], Text>> = {
  participant_left: "Left the organization, so their turns are no one's: {names}.",
  participant_may_not_respond: "Need the role Responder, so their turns are no one's: {names}.",
  participant_away: "Away, so their turns are no one's: {names}.",
  participant_unreachable: "Critical alerts do not reach: {names}.",
  participant_by_email_only: "Told of critical alerts by email alone: {names}."
}

/** What is wrong with participants, each kind in one line. */
const Warnings = ({ people, schedule }: { readonly schedule: Schedule; readonly people: People }) => {
  const byCode = Map.groupBy(schedule.warnings, ({ code }) => code)
  const { value: shown } = useHeldShape(byCode, [...byCode.keys()].join(" "))
  return (
    <>
      {[...shown].map(([code, warned]) => (
        <p key={code} className="flex items-start gap-1.5 text-small text-degraded">
          <Shape tone="degraded" className="mt-0.5 size-3.5" />
          <span className="min-w-0 break-words">
            {t(warnings[code], { names: listWords(warned.map(({ userId }) => personName(people, userId))) })}
          </span>
        </p>
      ))}
    </>
  )
}

export const SchedulePage = ({
  children,
  organization,
  people,
  schedule,
  search
}: {
  readonly organization: OrganizationRecord
  readonly people: People
  readonly schedule: Schedule
  readonly search: ScheduleSearch
  /** What stands between the shifts and the calendar, such as the policies that use it. */
  readonly children?: ReactNode
}) => {
  useHandoffs()
  const now = useNow()
  const today = Math.floor(now / 60_000) * 60_000
  const view = search.view ?? "weeks"
  const weeks = view === "month" ? monthWeeks(search.day, today) : [twoWeeks(search.day, today)]
  const span = { from: weeks[0]![0]!, to: spanOf(weeks.at(-1)!).to }
  const asked = shiftsQuery(organization.id, schedule.id, span)
  useFirsts(asked, onCallQuery(organization.id))
  const { data: shifts, error } = useFirst(asked)
  const { data: onCall } = useFirst(onCallQuery(organization.id))
  const [draft, setDraft] = useState<Draft | undefined>(undefined)
  const badges = useBadges(peopleIn(schedule.layers, shifts?.shifts ?? []), people)
  const current = onCall?.find(({ scheduleId }) => scheduleId === schedule.id)
  const { ownId } = people
  const { role } = organization
  const mayOverride = permits(role, "schedules.override") && ownId !== undefined
  const mayWrite = permits(role, "schedules.write")
  const close = () => setDraft(undefined)
  const navigate = useNavigate()
  const isAsked = search.take === true && mayOverride
  useEffect(() => {
    if (!isAsked) return
    const begin = Date.now()
    setDraft({
      from: localText(begin),
      to: localText(begin + 2 * 3_600_000),
      userId: ownId ?? null,
      replaces: null
    })
    void navigate({ to: "/on-call/schedules/$id", params: { id: schedule.id }, search: {}, replace: true })
  }, [isAsked, navigate, ownId, schedule.id])
  const openOver = (from: number, to: number, userId: string | null) =>
    setDraft({
      from: localText(Math.max(from, now)),
      to: localText(to),
      userId: userId === ownId && ownId !== undefined ? (otherThan(ownId) ?? ownId) : (ownId ?? null),
      replaces: userId
    })
  const otherThan = (id: string) => peopleIn(schedule.layers, []).find((each) => each !== id)
  const title =
    view === "month"
      ? new Intl.DateTimeFormat(formatLocale(), { month: "long", year: "numeric" }).format(weeks[1]![0])
      : `${dayWords(span.from)} – ${dayWords(span.to - 1)}`
  const link = (change: ScheduleSearch) => ({
    to: "/on-call/schedules/$id" as const,
    params: { id: schedule.id },
    search: { ...(search.view === undefined ? {} : { view: search.view }), ...change }
  })

  return (
    <>
      {current !== undefined && (
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-y border-line py-3">
          <OnCallRow
            isNamed={false}
            onCall={current}
            people={people}
            badge={current.userId === null ? undefined : badges.get(current.userId)}
          />
          {mayOverride && (
            <div className="flex flex-wrap gap-2">
              <TakeOver
                organizationId={organization.id}
                scheduleId={schedule.id}
                scheduleName={schedule.name}
                ownId={ownId}
                onOther={() => openOver(now, now + 8 * 3_600_000, null)}
              />
            </div>
          )}
        </div>
      )}
      {error !== null && shifts === undefined && <Notice>{error.message}</Notice>}
      {shifts !== undefined && (
        <section className="flex min-w-0 flex-col gap-3" aria-label={t("Shifts")}>
          <div className="flex flex-wrap items-center justify-between gap-2">
            <h2 aria-live="polite">{title}</h2>
            <div className="flex flex-wrap gap-1">
              <RouteLink {...link({ day: turned(search.day, today, view, -1) })} kind="plain" aria-label={t("Earlier")}>
                <Icon name="back" className="rtl:-scale-x-100" />
              </RouteLink>
              <RouteLink {...link({})} kind="plain">
                {t("Today")}
              </RouteLink>
              <RouteLink {...link({ day: turned(search.day, today, view, 1) })} kind="plain" aria-label={t("Later")}>
                <Icon name="back" className="-scale-x-100 rtl:scale-x-100" />
              </RouteLink>
              <RouteLink
                to="/on-call/schedules/$id"
                params={{ id: schedule.id }}
                search={{
                  ...(search.day === undefined ? {} : { day: search.day }),
                  ...(view === "month" ? {} : { view: "month" })
                }}
                kind="plain"
              >
                {view === "month" ? t("Show two weeks") : t("Show the month")}
              </RouteLink>
            </div>
          </div>
          <Gaps gaps={shifts.gaps} />
          <Warnings schedule={schedule} people={people} />
          {view === "month" ? (
            <Month shifts={shifts} weeks={weeks} now={today} badges={badges} nameOf={(id) => personName(people, id)} />
          ) : (
            <Timeline
              shifts={shifts}
              edges={weeks[0]!}
              now={today}
              badges={badges}
              nameOf={(id) => personName(people, id)}
            />
          )}
          <p className="text-small text-soft">
            {schedule.timezone === ownZone()
              ? t("Times in {zone}.", { zone: ownZone() })
              : t("Times in {zone}; handoffs follow the clock of {own}.", { zone: ownZone(), own: schedule.timezone })}
            {schedule.coverage !== null &&
              ` ${t("Somebody has to be on call {hours}.", { hours: hoursWords(schedule.coverage) })}`}
          </p>
        </section>
      )}
      <div className="grid min-w-0 items-start gap-x-10 gap-y-5 min-[72rem]:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="min-w-0">
          {shifts !== undefined && (
            <ShiftList
              shifts={shifts}
              span={span}
              now={today}
              people={people}
              badges={badges}
              onChange={
                mayOverride ? ({ from, to }, userId) => openOver(Date.parse(from), Date.parse(to), userId) : undefined
              }
            />
          )}
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <Parts>
            <Section
              title={t("Overrides")}
              actions={
                mayOverride && (
                  <Button onPress={() => openOver(now + 3_600_000, now + 9 * 3_600_000, null)}>
                    <Icon name="plus" />
                    {t("New override")}
                  </Button>
                )
              }
            >
              <Overrides
                organizationId={organization.id}
                scheduleId={schedule.id}
                people={people}
                role={role}
                badges={badges}
              />
            </Section>
            <Section title={t("Layers")}>
              <ul className="flex flex-col gap-2 text-sm" aria-label={t("Layers")}>
                {schedule.layers.toReversed().map((layer) => (
                  <li key={layer.name} className="break-words">
                    <bdi className="font-medium">{layer.name}</bdi>{" "}
                    <span className="text-soft">{layerWords(layer, people)}</span>
                  </li>
                ))}
              </ul>
              {schedule.layers.length > 1 && (
                <p className="text-small text-soft">
                  {t("A layer above wins over those below it where it has somebody.")}
                </p>
              )}
            </Section>
            {children}
            <Section title={t("Calendar")}>
              <CalendarAddress organizationId={organization.id} scheduleId={schedule.id} mayWrite={mayWrite} />
            </Section>
          </Parts>
        </div>
      </div>
      <Dialog title={t("Override")} isOpen={draft !== undefined} onOpenChange={close}>
        {draft !== undefined && (
          <OverrideForm
            organizationId={organization.id}
            scheduleId={schedule.id}
            role={role}
            people={people}
            initial={draft}
            onClose={close}
            onSaved={close}
          />
        )}
      </Dialog>
    </>
  )
}
