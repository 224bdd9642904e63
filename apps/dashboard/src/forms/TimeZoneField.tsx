/** Chooses a time zone, and offers the browser's where another one is set. */
import { useMemo } from "react"
import { t } from "../locales/text.ts"
import { ownZone } from "../locales/time.ts"
import { Button } from "../ui/Button.tsx"
import { ComboBox } from "../ui/ComboBox.tsx"

export const TimeZoneField = ({
  error,
  help,
  isReadOnly = false,
  onChange,
  value
}: {
  readonly value: string | null
  readonly onChange: (zone: string) => void
  readonly help: string
  readonly error?: string | undefined
  readonly isReadOnly?: boolean
}) => {
  const zones = useMemo(() => {
    const all = new Set(["UTC", ...(value === null ? [] : [value]), ownZone(), ...Intl.supportedValuesOf("timeZone")])
    return [...all].map((id) => ({ id, label: id }))
  }, [value])
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {isReadOnly ? (
        <p className="text-sm">
          <span className="font-medium">{t("Time zone")}</span> {value ?? "UTC"}
        </p>
      ) : (
        <ComboBox
          // Its text begins with the value: a zone that was set by the button shows.
          key={value}
          label={t("Time zone")}
          help={help}
          options={zones}
          value={value}
          onChange={(zone) => {
            if (zone !== null) onChange(zone)
          }}
        />
      )}
      {error !== undefined && <p className="text-sm font-medium text-down">{error}</p>}
      {!isReadOnly && value !== ownZone() && (
        <div>
          <Button onPress={() => onChange(ownZone())}>
            {t("Use {zone}, the zone of this browser", { zone: ownZone() })}
          </Button>
        </div>
      )}
    </div>
  )
}
