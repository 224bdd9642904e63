/** The people on call, at the top of Home: one line for each schedule. */
import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { type OrganizationRecord, useOrganization } from "../../api/organizations.ts"
import { permits } from "../../api/permissions.ts"
import { t } from "../../locales/text.ts"
import { RouteLink } from "../../ui/Button.tsx"
import { useHeldShape } from "../../ui/held.ts"
import { HeldList } from "../../ui/HeldList.tsx"
import { Initials } from "./Badge.tsx"
import { NextShift } from "./OwnShifts.tsx"
import { type OnCall, ownShiftsQuery, type People, useHandoffs, useOnCall, usePeople } from "./queries.ts"
import { TakeOver } from "./TakeOver.tsx"
import { peopleIn } from "./timeline.ts"
import { useBadges } from "./useBadges.ts"
import { personName, untilWords } from "./words.ts"

/** More are on the page of schedules. */
const maxShown = 3

export interface HomeOnCall {
  readonly onCall: ReadonlyArray<OnCall>
  readonly organization: OrganizationRecord
  readonly people: People
}

/** The on-call part of Home; undefined until it is known, null if there is nothing to show. */
export const useHomeOnCall = (): HomeOnCall | null | undefined => {
  const organization = useOrganization()
  const people = usePeople()
  useHandoffs()
  const { data, isError } = useOnCall()
  // Its line would move what is below it.
  const isAwaited = useQuery(ownShiftsQuery).isPending
  return useMemo(() => {
    if (isError && data === undefined) return null
    if (organization === undefined || data === undefined || isAwaited) return undefined
    if (data.length === 0) return null
    return people === undefined ? undefined : { onCall: data, organization, people }
  }, [data, isAwaited, isError, organization, people])
}

const keyOf = ({ scheduleId }: OnCall): string => scheduleId

export const OnCallOfHome = ({ shown: { onCall, organization, people } }: { readonly shown: HomeOnCall }) => {
  const badges = useBadges(peopleIn([], onCall), people)
  // The alerts below it would move.
  const count = useHeldShape(onCall.length, String(onCall.length > maxShown)).value
  const { ownId } = people
  const mayTake = permits(organization.role, "schedules.override") && ownId !== undefined
  return (
    <section aria-label={t("On call now")} className="flex flex-col gap-1">
      <HeldList
        label={t("On call now")}
        items={onCall.slice(0, maxShown)}
        keyOf={keyOf}
        className="divide-y divide-line"
        rowClass="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 py-1.5 text-sm"
      >
        {(each) => (
          <>
            <Initials badge={each.userId === null ? undefined : badges.get(each.userId)} />
            <p className="flex min-w-0 flex-1 basis-40 flex-wrap items-baseline gap-x-2">
              <span className={each.userId === null ? "font-medium text-degraded" : "font-medium"}>
                {each.userId === null ? (
                  t("No one is on call")
                ) : (
                  <bdi>{each.userId === ownId ? t("You are on call") : personName(people, each.userId)}</bdi>
                )}
              </span>
              <RouteLink
                to="/on-call/schedules/$id"
                params={{ id: each.scheduleId }}
                search={{}}
                className="inline-flex min-w-0 items-center text-small text-soft hover:underline pointer-coarse:min-h-11"
              >
                <bdi className="truncate">{each.scheduleName}</bdi>
              </RouteLink>
              <span className="text-small text-soft">{untilWords(each, people)}</span>
            </p>
            {mayTake && each.userId !== ownId && (
              <TakeOver
                organizationId={organization.id}
                scheduleId={each.scheduleId}
                scheduleName={each.scheduleName}
                ownId={ownId}
              />
            )}
          </>
        )}
      </HeldList>
      <NextShift />
      {count > maxShown && (
        <RouteLink
          to="/on-call"
          className="flex w-fit items-center text-sm text-accent underline underline-offset-3 pointer-coarse:min-h-11"
        >
          {t("Show all {count}", { count })}
        </RouteLink>
      )}
    </section>
  )
}
