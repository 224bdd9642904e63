/** The fields of one step: when it runs, and whom it tells. */
import { includes } from "../../../api/permissions.ts"
import { t } from "../../../locales/text.ts"
import { IconButton } from "../../../ui/Button.tsx"
import { type Option, Select } from "../../../ui/Choice.tsx"
import { emphasized } from "../../../ui/Emphasis.tsx"
import { Icon } from "../../../ui/Icon.tsx"
import { NumberField } from "../../../ui/NumberField.tsx"
import { optionOf, type StepDraft, targetOf } from "./draft.ts"
import type { Directory } from "./queries.ts"
import { targetWords } from "./words.ts"

/** The choice that adds nothing. */
const none = "-"

/** The longest wait between two steps. */
const longest = 1440

/** Everything that a step can tell. */
const optionsOf = ({ channels, people, schedules, teams }: Directory): ReadonlyArray<Option> => [
  ...schedules.flatMap(({ id, name }) => [
    { id: `now ${id}`, label: t("On call in {schedule}", { schedule: name }) },
    { id: `next ${id}`, label: t("Next in {schedule}", { schedule: name }) }
  ]),
  ...teams.map(({ id, name }) => ({ id: `team ${id}`, label: t("Everybody in {team}", { team: name }) })),
  ...people.members
    .filter(({ role }) => includes(role, "responder"))
    .map(({ name, userId }) => ({ id: `user ${userId}`, label: name })),
  ...channels.map(({ id, name }) => ({ id: `channel ${id}`, label: t("Channel {channel}", { channel: name }) }))
]

export const StepFields = ({
  directory,
  error,
  number,
  onChange,
  step
}: {
  readonly step: StepDraft
  /** From 1 on. */
  readonly number: number
  readonly directory: Directory
  readonly onChange: (step: StepDraft) => void
  readonly error: string | undefined
}) => {
  const { afterMinutes, notify } = step
  const taken = new Set(notify.map(optionOf))
  const free = optionsOf(directory).filter(({ id }) => !taken.has(id))
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <NumberField
        label={number === 1 ? t("Minutes after the alert opens") : t("Minutes after the step before")}
        value={afterMinutes}
        onChange={(minutes) => onChange({ ...step, afterMinutes: Number.isNaN(minutes) ? 0 : minutes })}
        minValue={0}
        maxValue={longest}
      />
      {notify.length > 0 && (
        <ul aria-label={t("Targets of step {number}", { number })} className="flex flex-col divide-y divide-line">
          {notify.map((target) => {
            const words = targetWords(target, directory)
            return (
              <li key={optionOf(target)} className="flex min-h-9 items-center gap-2 py-0.5 text-sm">
                <span className="min-w-0 flex-1 break-words text-soft">{emphasized(words)}</span>
                <IconButton
                  aria-label={t("Remove {name}", { name: words.replaceAll(/[\uE000\uE001]/g, "") })}
                  onPress={() => onChange({ ...step, notify: notify.filter((each) => each !== target) })}
                >
                  <Icon name="close" />
                </IconButton>
              </li>
            )
          })}
        </ul>
      )}
      <Select
        label={t("Add a target of step {number}", { number })}
        isLabelHidden
        value={none}
        onChange={(id) => {
          const target = targetOf(id)
          if (target !== undefined) onChange({ ...step, notify: [...notify, target] })
        }}
        options={[{ id: none, label: t("Tell…") }, ...free]}
        error={error}
      />
    </div>
  )
}
