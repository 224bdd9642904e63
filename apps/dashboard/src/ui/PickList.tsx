/** Chooses any number of many options: check boxes with a search above them, the chosen ones first. */
import { useMemo, useState } from "react"
import { t } from "../locales/text.ts"
import { Checkbox, type Option } from "./Choice.tsx"
import { TextField } from "./Field.tsx"

const maxShown = 50
/** So few that there is nothing to search for. */
const fewEnough = 8

export const PickList = ({
  error,
  label,
  onChange,
  options,
  value
}: {
  readonly label: string
  readonly options: ReadonlyArray<Option>
  readonly value: ReadonlyArray<string>
  readonly onChange: (ids: ReadonlyArray<string>) => void
  readonly error?: string | undefined
}) => {
  const [query, setQuery] = useState("")
  // The order stays while boxes are checked, so that nothing moves away under the pointer.
  const [first] = useState(() => new Set(value))
  const ordered = useMemo(
    () => [...options.filter(({ id }) => first.has(id)), ...options.filter(({ id }) => !first.has(id))],
    [options, first]
  )
  const wanted = query.trim().toLowerCase()
  const found = wanted === "" ? ordered : ordered.filter(({ label }) => label.toLowerCase().includes(wanted))
  const toggle = (id: string, isOn: boolean) => onChange(isOn ? [...value, id] : value.filter((each) => each !== id))
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="sr-only">{label}</legend>
      {options.length > fewEnough && (
        <TextField label={t("Search")} value={query} onChange={setQuery} type="search" spellCheck="false" />
      )}
      <div className="max-h-72 overflow-auto rounded-lg border border-line bg-surface px-3 py-1">
        {found.slice(0, maxShown).map(({ id, label }) => (
          <Checkbox key={id} isSelected={value.includes(id)} onChange={(isOn) => toggle(id, isOn)}>
            <bdi className="min-w-0">{label}</bdi>
          </Checkbox>
        ))}
        {found.length > maxShown && (
          <p className="py-1 text-small text-soft">
            {t("{count, plural, one {# more: search for it} other {# more: search for them}}", {
              count: found.length - maxShown
            })}
          </p>
        )}
        {found.length === 0 && <p className="py-2 text-sm text-soft">{t("Nothing matches")}</p>}
      </div>
      <p className="text-small text-soft">
        {t("{count, plural, one {# chosen} other {# chosen}}", { count: value.length })}
      </p>
      {error !== undefined && <p className="text-small font-medium text-down">{error}</p>}
    </fieldset>
  )
}
