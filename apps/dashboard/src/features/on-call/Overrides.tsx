/** The overrides of a schedule that are not over. */
import { permits, type Role } from "../../api/permissions.ts"
import { reasonOf } from "../../api/problem.ts"
import { useFirst } from "../../api/Parts.tsx"
import { t } from "../../locales/text.ts"
import { IconButton } from "../../ui/Button.tsx"
import { idOf } from "../../ui/held.ts"
import { HeldList } from "../../ui/HeldList.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Refusal } from "../../ui/Toast.tsx"
import { Initials } from "./Badge.tsx"
import { type Override, overridesQuery, type People } from "./queries.ts"
import type { Badge } from "./timeline.ts"
import { personName, spanWords } from "./words.ts"
import { useEndOverride } from "./writes.ts"

const sentenceOf = ({ replaces, userId }: Override, people: People): string => {
  const name = personName(people, userId)
  return replaces === null
    ? t("{name} instead of everybody else", { name })
    : t("{name} instead of {other}", { name, other: personName(people, replaces) })
}

export const Overrides = ({
  badges,
  organizationId,
  people,
  role,
  scheduleId
}: {
  readonly organizationId: string
  readonly scheduleId: string
  readonly people: People
  readonly role: Role
  readonly badges: ReadonlyMap<string, Badge>
}) => {
  const { error, mutate: end, reset } = useEndOverride(organizationId, scheduleId)
  const { data: overrides = [] } = useFirst(overridesQuery(organizationId, scheduleId))
  const { ownId } = people
  /** Everybody may take back what concerns themselves. */
  const mayEnd = ({ createdBy, replaces, userId }: Override): boolean =>
    permits(role, "schedules.write") ||
    (permits(role, "schedules.override") && ownId !== undefined && [createdBy, replaces, userId].includes(ownId))
  return (
    <>
      {error !== null && <Refusal onClose={reset}>{reasonOf(error)}</Refusal>}
      <HeldList
        label={t("Overrides")}
        items={overrides}
        keyOf={idOf}
        rowClass="flex items-center gap-3 py-2"
        empty={<p className="text-sm text-soft">{t("No override now or ahead")}</p>}
      >
        {(override) => {
          const words = sentenceOf(override, people)
          return (
            <>
              <Initials badge={override.userId === null ? undefined : badges.get(override.userId)} />
              <div className="min-w-0 flex-1 text-sm">
                <p className="break-words">{words}</p>
                <p className="text-small text-soft tabular-nums">{spanWords(override)}</p>
              </div>
              {mayEnd(override) && (
                <IconButton aria-label={t("Delete: {what}", { what: words })} onPress={() => end(override.id)}>
                  <Icon name="trash" />
                </IconButton>
              )}
            </>
          )
        }}
      </HeldList>
    </>
  )
}
