/** The people of a layer in the order of their turns. */
import { includes } from "../../api/permissions.ts"
import { t } from "../../locales/text.ts"
import { IconButton } from "../../ui/Button.tsx"
import { Select } from "../../ui/Choice.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Initials } from "./Badge.tsx"
import { moved } from "./draft.ts"
import type { Layer, People } from "./queries.ts"
import type { Badge } from "./timeline.ts"
import { personName } from "./words.ts"

type Participant = Layer["participants"][number]

/** The choice without a person. */
const none = "-"

export const Participants = ({
  badges,
  error,
  onChange,
  people,
  value
}: {
  readonly value: ReadonlyArray<Participant>
  readonly onChange: (participants: ReadonlyArray<Participant>) => void
  readonly people: People
  readonly badges: ReadonlyMap<string, Badge>
  readonly error?: string | undefined
}) => {
  const able = people.members.filter(({ role }) => includes(role, "responder"))
  const free = able.filter(({ userId }) => !value.some((each) => each.userId === userId))
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {value.length > 0 && (
        <ol aria-label={t("People in the order of their turns")} className="flex flex-col divide-y divide-line">
          {value.map(({ userId }, index) => {
            const name = personName(people, userId)
            return (
              // The same person may have several turns.
              // oxlint-disable-next-line react/no-array-index-key -- the place in the order is what it is
              <li key={`${userId} ${index}`} className="flex min-h-9 items-center gap-2 py-0.5 text-sm">
                <Initials badge={badges.get(userId)} />
                <bdi className="min-w-0 flex-1 break-words">{name}</bdi>
                <IconButton
                  aria-label={t("Move {name} up", { name })}
                  isDisabled={index === 0}
                  onPress={() => onChange(moved(value, index, -1))}
                >
                  <Icon name="chevron" className="rotate-180" />
                </IconButton>
                <IconButton
                  aria-label={t("Move {name} down", { name })}
                  isDisabled={index === value.length - 1}
                  onPress={() => onChange(moved(value, index, 1))}
                >
                  <Icon name="chevron" />
                </IconButton>
                <IconButton
                  aria-label={t("Remove {name}", { name })}
                  onPress={() => onChange(value.filter((_, place) => place !== index))}
                >
                  <Icon name="close" />
                </IconButton>
              </li>
            )
          })}
        </ol>
      )}
      {free.length > 0 && (
        <Select
          label={t("Add a person")}
          isLabelHidden
          value={none}
          onChange={(userId) => {
            if (userId !== none) onChange([...value, { userId: userId as Participant["userId"] }])
          }}
          options={[
            { id: none, label: t("Add a person…") },
            ...free.map(({ name, userId }) => ({ id: userId as string, label: name }))
          ]}
          error={error}
        />
      )}
    </div>
  )
}
