/** Hours of the week: rows of days and times, with a switch that takes all of them away. */
import { ToggleButton, ToggleButtonGroup } from "react-aria-components"
import { t } from "../locales/text.ts"
import { weekdayName, weekdays } from "../locales/weekdays.ts"
import { Button, IconButton } from "../ui/Button.tsx"
import { Switch } from "../ui/Choice.tsx"
import { TextField } from "../ui/Field.tsx"
import { Icon } from "../ui/Icon.tsx"
import type { Hours, HoursDraft } from "./hours.ts"
import { nextKey } from "./nextKey.ts"

export const HoursFields = ({
  error,
  label,
  onChange,
  rowErrorOf,
  usual,
  value
}: {
  /** The label of the switch. */
  readonly label: string
  readonly value: ReadonlyArray<HoursDraft>
  readonly onChange: (hours: ReadonlyArray<HoursDraft>) => void
  /** The hours that a new row begins with. */
  readonly usual: Hours
  readonly error?: string | undefined
  /** By the index of the row. */
  readonly rowErrorOf?: (index: number) => string | undefined
}) => {
  const add = () => onChange([...value, { ...usual, key: nextKey(value) }])
  const change = (key: number, part: Partial<HoursDraft>) =>
    onChange(value.map((each) => (each.key === key ? { ...each, ...part } : each)))
  return (
    <div className="flex min-w-0 flex-col gap-3.5">
      <Switch isSelected={value.length > 0} onChange={(isOn) => (isOn ? add() : onChange([]))}>
        {label}
      </Switch>
      {value.map(({ from, key, to, weekdays: chosen }, index) => (
        <div key={key} className="flex min-w-0 flex-wrap items-end gap-2">
          <ToggleButtonGroup
            aria-label={t("Days of the hours {number}", { number: index + 1 })}
            selectionMode="multiple"
            disallowEmptySelection
            selectedKeys={chosen}
            onSelectionChange={(keys) => change(key, { weekdays: weekdays.filter((day) => keys.has(day)) })}
            className="flex flex-wrap gap-1"
          >
            {weekdays.map((day) => (
              <ToggleButton
                key={day}
                id={day}
                className="min-h-9 min-w-9 cursor-default rounded-lg border border-line bg-surface px-1.5 text-small text-soft selected:border-accent selected:bg-accent/12 selected:font-medium selected:text-ink pointer-coarse:min-h-11 pointer-coarse:min-w-11"
              >
                {weekdayName(day)}
              </ToggleButton>
            ))}
          </ToggleButtonGroup>
          <div className="flex items-end gap-2">
            <TextField
              label={t("From|time")}
              type="time"
              value={from}
              onChange={(from) => change(key, { from })}
              isRequired
            />
            <TextField
              label={t("To")}
              type="time"
              // The end of the day has no time of its own in such fields.
              value={to === "24:00" ? "00:00" : to}
              onChange={(to) => change(key, { to: to === "00:00" ? "24:00" : to })}
              isRequired
            />
            <IconButton
              aria-label={t("Remove the hours {number}", { number: index + 1 })}
              onPress={() => onChange(value.filter((each) => each.key !== key))}
            >
              <Icon name="close" />
            </IconButton>
          </div>
          {rowErrorOf?.(index) !== undefined && (
            <p role="alert" className="basis-full text-small font-medium text-down">
              {rowErrorOf(index)}
            </p>
          )}
        </div>
      ))}
      {error !== undefined && <p className="text-small font-medium text-down">{error}</p>}
      {value.length > 0 && (
        <div>
          <Button kind="quiet" onPress={add}>
            <Icon name="plus" />
            {t("More hours")}
          </Button>
        </div>
      )}
    </div>
  )
}
