/** How a window recurs, as fields, with what they mean in words. */
import { ToggleButton, ToggleButtonGroup } from "react-aria-components"
import { t } from "../../locales/text.ts"
import { Select } from "../../ui/Choice.tsx"
import { TextField } from "../../ui/Field.tsx"
import { NumberField } from "../../ui/NumberField.tsx"
import { beginnings, type Recurrence } from "./recurrence.ts"
import { dayNames, describeRecurrence } from "./recurrenceWords.ts"
import { type Draft, recurrenceIn, spanOf } from "./windowDraft.ts"
import { dayMillis, dayOf, wallOf } from "./zone.ts"

/** The first window and three more. */
const shownAhead = 4

const ahead = (recurrence: Recurrence, start: number, zone: string, locale: string): ReadonlyArray<string> => {
  const format = new Intl.DateTimeFormat(locale, {
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZone: zone
  })
  return [start, ...beginnings(recurrence, start, zone, start, start + 800 * dayMillis)]
    .slice(0, shownAhead)
    .map((at) => format.format(at))
}

export const Recurring = ({
  draft,
  error,
  locale,
  onChange
}: {
  readonly draft: Draft
  readonly error: string | undefined
  readonly locale: string
  readonly onChange: (draft: Draft) => void
}) => {
  const recurrence = recurrenceIn(draft)
  const set = (change: Partial<Recurrence>) => onChange({ ...draft, recurrence: { ...draft.recurrence, ...change } })
  const span = spanOf(draft)
  const names = dayNames(locale)
  if (recurrence === undefined)
    return (
      <TextField
        label={t("Rule|recurrence")}
        help={t("A recurrence rule (RFC 5545), such as FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1")}
        value={draft.rule}
        onChange={(rule) => onChange({ ...draft, rule })}
        error={error}
        code
        isRequired
        spellCheck="false"
      />
    )
  const count = recurrence.interval
  const units = {
    day: t("{count, plural, one {day} other {days}}", { count }),
    week: t("{count, plural, one {week} other {weeks}}", { count }),
    month: t("{count, plural, one {month} other {months}}", { count }),
    year: t("{count, plural, one {year} other {years}}", { count })
  }
  const nths = [
    { id: "1", label: t("First") },
    { id: "2", label: t("Second") },
    { id: "3", label: t("Third") },
    { id: "4", label: t("Fourth") },
    { id: "-1", label: t("Last") }
  ]
  const ends = recurrence.until !== undefined ? "until" : recurrence.count !== undefined ? "count" : "never"
  return (
    <div className="flex min-w-0 flex-col gap-4 rounded-xl border border-line bg-ground p-4">
      <NumberField
        label={t("Every")}
        value={recurrence.interval}
        onChange={(interval) => set({ interval: Number.isNaN(interval) ? 1 : interval })}
        minValue={1}
        maxValue={366}
        unit={units[recurrence.every]}
      />
      {recurrence.every === "week" && (
        <div className="flex flex-col gap-1">
          <span className="text-sm font-medium">{t("On")}</span>
          <ToggleButtonGroup
            aria-label={t("On")}
            selectionMode="multiple"
            disallowEmptySelection
            selectedKeys={recurrence.days.map(String)}
            onSelectionChange={(keys) => set({ days: [...keys].map(Number).toSorted((one, other) => one - other) })}
            className="flex flex-wrap gap-1"
          >
            {names.map((name, day) => (
              <ToggleButton
                key={name}
                id={String(day)}
                className="min-h-9 min-w-11 cursor-default rounded-lg border border-line bg-surface px-3 text-sm selected:border-accent selected:bg-accent selected:text-surface pointer-coarse:min-h-11"
              >
                {name}
              </ToggleButton>
            ))}
          </ToggleButtonGroup>
        </div>
      )}
      {recurrence.every === "month" && (
        <div className="grid gap-4 sm:grid-cols-3">
          <Select
            label={t("By")}
            value={recurrence.monthBy}
            onChange={(id) => set({ monthBy: id === "weekday" ? "weekday" : "date" })}
            options={[
              { id: "date", label: t("Day of the month") },
              { id: "weekday", label: t("Day of the week") }
            ]}
          />
          {recurrence.monthBy === "date" ? (
            <Select
              label={t("Day")}
              value={String(recurrence.monthDay)}
              onChange={(id) => set({ monthDay: Number(id) })}
              options={[
                ...Array.from({ length: 31 }, (_, index) => ({ id: String(index + 1), label: String(index + 1) })),
                { id: "-1", label: t("Last") }
              ]}
            />
          ) : (
            <>
              <Select
                label={t("Which")}
                value={String(recurrence.nth)}
                onChange={(id) => set({ nth: Number(id) })}
                options={nths}
              />
              <Select
                label={t("Day")}
                value={String(recurrence.weekday)}
                onChange={(id) => set({ weekday: Number(id) })}
                options={names.map((label, day) => ({ id: String(day), label }))}
              />
            </>
          )}
        </div>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          label={t("Series ends")}
          value={ends}
          onChange={(id) =>
            set({
              until: id === "until" ? dayOf(wallOf((span?.start ?? 0) + 90 * dayMillis, draft.zone)) : undefined,
              count: id === "count" ? 10 : undefined
            })
          }
          options={[
            { id: "never", label: t("Never") },
            { id: "until", label: t("On a day") },
            { id: "count", label: t("After a number of windows") }
          ]}
        />
        {recurrence.until !== undefined && (
          <TextField
            label={t("Last day")}
            type="date"
            value={recurrence.until}
            onChange={(until) => {
              if (/^\d{4}-\d\d-\d\d$/.test(until)) set({ until })
            }}
          />
        )}
        {recurrence.count !== undefined && (
          <NumberField
            label={t("Windows")}
            value={recurrence.count}
            onChange={(count) => set({ count: Number.isNaN(count) ? 2 : count })}
            minValue={2}
            maxValue={10_000}
          />
        )}
      </div>
      {span !== undefined && span.end > span.start && (
        <p role="status" className="font-medium">
          {describeRecurrence(recurrence, { ...span, zone: draft.zone }, { say: t, locale })}
        </p>
      )}
      {span !== undefined && (
        <ul aria-label={t("The next windows")} className="text-small text-soft">
          {ahead(recurrence, span.start, draft.zone, locale).map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      {error !== undefined && <p className="text-small font-medium text-down">{error}</p>}
    </div>
  )
}
