/** The fields of one layer: participants, length of a turn, handoff, and hours. */
import { HoursFields } from "../../forms/HoursFields.tsx"
import { t } from "../../locales/text.ts"
import { weekdayName, weekdays } from "../../locales/weekdays.ts"
import { Select } from "../../ui/Choice.tsx"
import { TextField } from "../../ui/Field.tsx"
import { NumberField } from "../../ui/NumberField.tsx"
import { type LayerDraft, usualHours, withUnit } from "./draft.ts"
import { Participants } from "./Participants.tsx"
import type { People } from "./queries.ts"
import type { Badge } from "./timeline.ts"

export const LayerFields = ({
  badges,
  errors,
  layer,
  onChange,
  people
}: {
  readonly layer: LayerDraft
  readonly onChange: (layer: LayerDraft) => void
  readonly people: People
  readonly badges: ReadonlyMap<string, Badge>
  /** By the path below the layer, such as `handoff.time`. */
  readonly errors: Readonly<Record<string, string>>
}) => {
  const { endsOn, handoff, name, participants, restrictions, rotation, startsOn } = layer
  const change = (part: Partial<LayerDraft>) => onChange({ ...layer, ...part })
  const units = [
    { id: "hour", label: t("{count, plural, one {hour} other {hours}}", { count: rotation.every }) },
    { id: "day", label: t("{count, plural, one {day} other {days}}", { count: rotation.every }) },
    { id: "week", label: t("{count, plural, one {week} other {weeks}}", { count: rotation.every }) },
    { id: "month", label: t("{count, plural, one {month} other {months}}", { count: rotation.every }) }
  ] as const
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <TextField
        label={t("Name of the layer")}
        value={name}
        onChange={(name) => change({ name })}
        error={errors["name"]}
        isRequired
        autoComplete="off"
      />
      <div className="flex min-w-0 flex-col gap-1">
        <p className="text-sm font-medium" aria-hidden>
          {t("People in the order of their turns")}
        </p>
        <Participants
          value={participants}
          onChange={(participants) => change({ participants })}
          people={people}
          badges={badges}
          error={errors["participants"]}
        />
      </div>
      <div className="grid min-w-0 grid-cols-2 items-start gap-3 sm:grid-cols-4">
        <NumberField
          label={t("A turn is")}
          value={rotation.every}
          onChange={(every) => change({ rotation: { ...rotation, every: Number.isNaN(every) ? 1 : every } })}
          minValue={1}
          maxValue={999}
          error={errors["rotation"]}
        />
        <Select
          label={t("Unit")}
          value={rotation.unit}
          onChange={(unit) => onChange(withUnit(layer, unit))}
          options={units}
        />
        {rotation.unit === "week" && (
          <Select
            label={t("Handoff on")}
            value={handoff.weekday ?? "mon"}
            onChange={(weekday) => change({ handoff: { ...handoff, weekday } })}
            options={weekdays.map((id) => ({ id, label: weekdayName(id, "long") }))}
          />
        )}
        {rotation.unit === "month" && (
          <NumberField
            label={t("Handoff on day")}
            value={handoff.day ?? 1}
            onChange={(day) => change({ handoff: { ...handoff, day: Number.isNaN(day) ? 1 : day } })}
            minValue={1}
            maxValue={31}
          />
        )}
        <TextField
          label={t("Handoff at")}
          type="time"
          value={handoff.time}
          onChange={(time) => change({ handoff: { ...handoff, time } })}
          error={errors["handoff"]}
          isRequired
        />
      </div>
      <div className="grid min-w-0 grid-cols-2 items-start gap-3">
        <TextField
          label={t("First day")}
          type="date"
          value={startsOn}
          onChange={(startsOn) => change({ startsOn })}
          error={errors["startsOn"]}
          isRequired
        />
        <TextField
          label={t("Last day")}
          type="date"
          optional
          value={endsOn}
          onChange={(endsOn) => change({ endsOn })}
          error={errors["endsOn"]}
        />
      </div>
      <HoursFields
        label={t("Only in some hours of the week")}
        usual={usualHours}
        value={restrictions}
        onChange={(restrictions) => change({ restrictions })}
        error={errors["restrictions"]}
      />
    </div>
  )
}
