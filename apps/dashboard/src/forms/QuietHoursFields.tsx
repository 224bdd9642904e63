/** The fields of quiet hours: when messages wait, in which time zone, and how urgent they are. A sentence says it in words. */
import { severities, severityWord } from "../locales/severities.ts"
import { t } from "../locales/text.ts"
import { Select } from "../ui/Choice.tsx"
import { HoursFields } from "./HoursFields.tsx"
import { type QuietHoursDraft, quietHoursOf, usualNight } from "./quietHours.ts"
import { holdWords, quietWords } from "./quietWords.ts"
import { TimeZoneField } from "./TimeZoneField.tsx"

/** The first message of those at or below a path. */
const messageAt = (errors: Readonly<Record<string, string>>, path: string): string | undefined =>
  Object.entries(errors).find(([name]) => name === path || name.startsWith(`${path}.`))?.[1]

export const QuietHoursFields = ({
  errors,
  onChange,
  value
}: {
  readonly value: QuietHoursDraft
  readonly onChange: (value: QuietHoursDraft) => void
  /** By the path in the request. */
  readonly errors: Readonly<Record<string, string>>
}) => {
  const change = (part: Partial<QuietHoursDraft>) => onChange({ ...value, ...part })
  const hours = quietHoursOf(value)
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <HoursFields
        label={t("Hold messages in some hours of the week")}
        usual={usualNight}
        value={value.windows}
        onChange={(windows) => change({ windows })}
        error={errors["quietHours.windows"] ?? errors["quietHours"]}
        rowErrorOf={(index) => messageAt(errors, `quietHours.windows[${index}]`)}
      />
      {hours !== null && (
        <>
          <Select
            label={t("Hold what is below")}
            value={value.holdBelow}
            onChange={(holdBelow) => change({ holdBelow })}
            options={severities
              // Nothing is below the last one.
              .filter((id) => id !== "info" || value.holdBelow === "info")
              .map((id) => ({ id, label: severityWord(id), help: holdWords(id) }))}
            error={errors["quietHours.holdBelow"]}
          />
          <TimeZoneField
            value={value.timezone}
            onChange={(timezone) => change({ timezone })}
            help={t("The hours follow its clock, also when it changes")}
            error={errors["quietHours.timezone"]}
          />
          <p className="text-sm text-soft" aria-live="polite">
            {quietWords(hours)}
          </p>
        </>
      )}
    </div>
  )
}
