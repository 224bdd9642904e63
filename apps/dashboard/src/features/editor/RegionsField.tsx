/** Where a monitor is checked from: the regions that there are, and which of them have no probe now. None means all. */
import type { RegionRecord } from "@kanmon/protocol/RegionBody"
import { useQuery } from "@tanstack/react-query"
import type { FormField } from "../../forms/schema.ts"
import { SchemaField } from "../../forms/SchemaField.tsx"
import { useProjectData } from "../../live/ProjectData.tsx"
import { t } from "../../locales/text.ts"
import { Checkbox } from "../../ui/Choice.tsx"
import { useHeldBy } from "../../ui/held.ts"
import { regionsQuery } from "./queries.ts"

type RegionStatus = typeof RegionRecord.Encoded

const none: ReadonlyArray<RegionStatus> = []
const regionOf = ({ region }: RegionStatus): string => region

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
  const { rows: known } = useHeldBy(data ?? none, regionOf, { reset: String(data === undefined) })
  if (isError) return <SchemaField field={field} value={value} error={error} onChange={onChange} />
  const chosen = value
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")
  const alive = new Map(known.map((each) => [each.region, each.alive]))
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
      <p className="text-small leading-snug text-soft">{t("Where to check from. None chosen: everywhere.")}</p>
      {error !== undefined && <p className="text-small font-medium text-down">{error}</p>}
    </fieldset>
  )
}
