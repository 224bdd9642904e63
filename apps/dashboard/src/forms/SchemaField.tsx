/** One field of a form that is rendered from a schema. Its value is kept as text until the form is sent. */
import { t } from "../locales/text.ts"
import { Select, Switch } from "../ui/Choice.tsx"
import { TextField } from "../ui/Field.tsx"
import { DurationField } from "../ui/DurationField.tsx"
import { NumberField } from "../ui/NumberField.tsx"
import { type FormField, textOf } from "./schema.ts"

export const SchemaField = ({
  error,
  field,
  onChange,
  value
}: {
  readonly field: FormField
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (value: string) => void
}) => {
  const { fallback, help, kind, label, maximum, minimum, name, options, required, unit } = field
  const common = { label, help, error }
  const byDefault = textOf(kind, fallback)
  if (kind === "switch")
    return (
      <Switch
        help={error ?? help}
        isSelected={(value === "" ? byDefault : value) === "true"}
        onChange={(isOn) => onChange(String(isOn))}
      >
        {label}
      </Switch>
    )
  if (kind === "choice")
    return (
      <Select
        {...common}
        value={value === "" ? byDefault : value}
        onChange={onChange}
        options={options.map((id) => ({ id, label: id }))}
        optional={!required}
      />
    )
  if (kind === "number" && unit === "seconds")
    return (
      <DurationField
        {...common}
        name={name}
        value={value === "" ? byDefault : value}
        onChange={onChange}
        optional={!required && fallback === undefined}
      />
    )
  if (kind === "number")
    return (
      <NumberField
        {...common}
        name={name}
        value={value === "" ? (typeof fallback === "number" ? fallback : Number.NaN) : Number(value)}
        onChange={(number) => onChange(Number.isNaN(number) ? "" : String(number))}
        unit={unit === undefined ? undefined : t(unit)}
        optional={!required && fallback === undefined}
        {...(minimum === undefined ? {} : { minValue: minimum })}
        {...(maximum === undefined ? {} : { maxValue: maximum })}
      />
    )
  const lines = kind === "long" || kind === "pairs" || kind === "json"
  return (
    <TextField
      {...common}
      name={name}
      value={value}
      onChange={onChange}
      optional={!required}
      isRequired={required}
      placeholder={kind === "pairs" ? "Accept: application/json" : byDefault.replaceAll("\n", ", ")}
      {...(lines ? { rows: 3 } : {})}
      code={kind === "pairs" || kind === "json"}
      spellCheck="false"
    />
  )
}
