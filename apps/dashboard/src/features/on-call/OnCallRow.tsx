/** The person on call in a schedule, until when, and the next person. */
import { t } from "../../locales/text.ts"
import { RouteLink } from "../../ui/Button.tsx"
import { Initials } from "./Badge.tsx"
import type { OnCall, People } from "./queries.ts"
import type { Badge } from "./timeline.ts"
import { personName, untilWords } from "./words.ts"

export const OnCallRow = ({
  badge,
  isNamed = true,
  onCall,
  people
}: {
  readonly onCall: OnCall
  readonly people: People
  readonly badge: Badge | undefined
  /** Whether the name of the schedule stands above, as a link to it. */
  readonly isNamed?: boolean
}) => (
  <div className="flex min-w-0 flex-1 basis-64 items-start gap-3">
    <Initials badge={onCall.userId === null ? undefined : badge} className="mt-0.5" />
    <div className="min-w-0">
      {isNamed ? (
        <RouteLink
          to="/on-call/schedules/$id"
          params={{ id: onCall.scheduleId }}
          search={{}}
          className="inline-flex max-w-full items-center text-small text-soft no-underline hover:underline pointer-coarse:min-h-11"
        >
          <bdi className="truncate">{onCall.scheduleName}</bdi>
        </RouteLink>
      ) : (
        <p className="text-small text-soft">{t("On call now")}</p>
      )}
      <p className={`break-words font-medium ${onCall.userId === null ? "text-degraded" : ""}`}>
        {onCall.userId === null ? t("No one is on call") : <bdi>{personName(people, onCall.userId)}</bdi>}
      </p>
      <p className="text-small break-words text-soft">{untilWords(onCall, people)}</p>
    </div>
  </div>
)
