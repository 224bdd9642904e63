/** Who is on call in each schedule of the organization. */
import { useMemo } from "react"
import type { OrganizationRecord } from "../../api/organizations.ts"
import { permits } from "../../api/permissions.ts"
import { t } from "../../locales/text.ts"
import { listClass } from "../../ui/classes.ts"
import { HeldList } from "../../ui/HeldList.tsx"
import { OnCallRow } from "./OnCallRow.tsx"
import type { OnCall, People } from "./queries.ts"
import { TakeOver } from "./TakeOver.tsx"
import { badgesOf } from "./timeline.ts"

const keyOf = ({ scheduleId }: OnCall): string => scheduleId

export const OnCallList = ({
  onCall,
  organization,
  people
}: {
  readonly onCall: ReadonlyArray<OnCall>
  readonly organization: OrganizationRecord
  readonly people: People
}) => {
  const ids = [...new Set(onCall.flatMap(({ userId }) => userId ?? []))].join()
  const badges = useMemo(
    () => badgesOf(ids.split(",").map((id) => ({ id, name: people.nameOf(id) ?? "?" }))),
    [ids, people]
  )
  const { ownId } = people
  return (
    <HeldList
      label={t("On call now")}
      items={onCall}
      keyOf={keyOf}
      className={listClass}
      rowClass="flex flex-wrap items-center gap-x-6 gap-y-2 px-2 py-3"
    >
      {(each) => (
        <>
          <OnCallRow onCall={each} people={people} badge={each.userId === null ? undefined : badges.get(each.userId)} />
          {permits(organization.role, "schedules.override") && ownId !== undefined && each.userId !== ownId && (
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
  )
}
