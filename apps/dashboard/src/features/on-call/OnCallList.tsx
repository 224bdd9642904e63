/** The people on call in each schedule of the organization. */
import type { OrganizationRecord } from "../../api/organizations.ts"
import { permits } from "../../api/permissions.ts"
import { t } from "../../locales/text.ts"
import { listClass } from "../../ui/classes.ts"
import { HeldList } from "../../ui/HeldList.tsx"
import { OnCallRow } from "./OnCallRow.tsx"
import type { OnCall, People } from "./queries.ts"
import { TakeOver } from "./TakeOver.tsx"
import { peopleIn } from "./timeline.ts"
import { useBadges } from "./useBadges.ts"

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
  const badges = useBadges(peopleIn([], onCall), people)
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
