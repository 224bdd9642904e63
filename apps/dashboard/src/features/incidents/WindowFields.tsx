/** When a maintenance window is: its beginning, its end, its time zone, and how it recurs. */
import { useMemo } from "react"
import { formatLocale, t } from "../../locales/text.ts"
import { Select } from "../../ui/Choice.tsx"
import { ComboBox } from "../../ui/ComboBox.tsx"
import { TextField } from "../../ui/Field.tsx"
import { moment, ownZone, utc } from "../../locales/time.ts"
import { Recurring } from "./Recurring.tsx"
import { begun, type Draft, repeats, spanOf } from "./windowDraft.ts"

export const WindowFields = ({
  draft,
  errors,
  onChange
}: {
  readonly draft: Draft
  readonly errors: Readonly<Record<string, string>>
  readonly onChange: (draft: Draft) => void
}) => {
  const zones = useMemo(() => {
    const all = new Set([ownZone(), "UTC", draft.zone, ...Intl.supportedValuesOf("timeZone")])
    return [...all].map((id) => ({ id, label: id }))
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the zone that the form began with stays in the list
  }, [])
  const span = spanOf(draft)
  const repeatWords = {
    no: t("Does not repeat"),
    day: t("Daily"),
    week: t("Weekly"),
    month: t("Monthly"),
    year: t("Yearly"),
    custom: t("By a rule of its own")
  }
  return (
    <section className="flex min-w-0 flex-col gap-4">
      <h2>{t("When")}</h2>
      <div className="grid min-w-0 gap-4 sm:grid-cols-2">
        <TextField
          label={t("Begins")}
          type="datetime-local"
          value={draft.start}
          onChange={(start) => onChange(begun(draft, start))}
          error={errors["scheduledStart"]}
          isRequired
        />
        <TextField
          label={t("Ends")}
          type="datetime-local"
          value={draft.end}
          onChange={(end) => onChange({ ...draft, end })}
          error={errors["scheduledEnd"]}
          isRequired
        />
        <ComboBox
          label={t("Time zone")}
          options={zones}
          value={draft.zone}
          onChange={(zone) => {
            if (zone !== null) onChange({ ...draft, zone })
          }}
        />
        <Select
          label={t("Repeats")}
          value={draft.repeat}
          onChange={(id) => {
            const repeat = repeats.find((each) => each === id)
            if (repeat !== undefined) onChange({ ...draft, repeat })
          }}
          options={repeats.map((id) => ({ id, label: repeatWords[id] }))}
        />
      </div>
      {errors["timezone"] !== undefined && <p className="text-sm font-medium text-down">{errors["timezone"]}</p>}
      {draft.zone !== ownZone() && span !== undefined && (
        <p className="text-small text-soft">
          {t("In your time zone: {from} – {to}", { from: moment(span.start), to: moment(span.end) })}
        </p>
      )}
      {span?.shift === "skipped" && (
        <p className="text-small font-medium text-degraded">
          {t("The clocks are put forward then: this time does not exist on that day. It counts as {time}.", {
            time: utc(span.start)
          })}
        </p>
      )}
      {draft.repeat !== "no" && (
        <Recurring draft={draft} onChange={onChange} error={errors["recurrence"]} locale={formatLocale()} />
      )}
    </section>
  )
}
