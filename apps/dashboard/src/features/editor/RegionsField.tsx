/** Where a monitor is checked from: the regions that there are, and which of them have no probe now. None means all. */
import { useQuery } from "@tanstack/react-query"
import type { FormField } from "../../forms/schema.ts"
import { SchemaField } from "../../forms/SchemaField.tsx"
import { useProjectData } from "../../live/ProjectData.tsx"
import { t } from "../../locales/text.ts"
import { Checkbox } from "../../ui/Choice.tsx"
import { regionsQuery } from "./queries.ts"

export const RegionsField = ({
  error,
  field,
  onChange,
  value
}: {
  readonly field: FormField
  /** Names with commas between. */
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (value: string) => void
}) => {
  const { project } = useProjectData()
  const { data, isError } = useQuery(regionsQuery(project))
  if (isError) return <SchemaField field={field} value={value} error={error} onChange={onChange} />
  const chosen = value
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")
  const alive = new Map((data ?? []).map((each) => [each.region, each.alive]))
  const toggle = (name: string, isOn: boolean) =>
    onChange((isOn ? [...chosen, name] : chosen.filter((each) => each !== name)).join(", "))
  return (
    <fieldset className="flex min-w-0 flex-col">
      <legend className="text-sm font-medium">{field.label}</legend>
      {[...new Set([...alive.keys(), ...chosen])].map((name) => (
        <Checkbox key={name} isSelected={chosen.includes(name)} onChange={(isOn) => toggle(name, isOn)}>
          <span className="min-w-0">
            <bdi>{name}</bdi>
            {alive.get(name) === false && <span className="text-soft"> · {t("No probe is alive there now")}</span>}
          </span>
        </Checkbox>
      ))}
      <p className="text-[0.8125rem] leading-snug text-soft">{t("Where to check from. None chosen: everywhere.")}</p>
      {error !== undefined && <p className="text-[0.8125rem] font-medium text-down">{error}</p>}
    </fieldset>
  )
}
