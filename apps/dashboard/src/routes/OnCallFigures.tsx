/** `/on-call/figures`: on-call duty of a period in figures. */
import { useQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { useOrganization } from "../api/organizations.ts"
import { includes } from "../api/permissions.ts"
import { formErrors, noErrors, reasonOf } from "../api/problem.ts"
import { useSubmit } from "../api/useSubmit.ts"
import { figuresCsv, figuresQuery } from "../features/on-call/figures.ts"
import { Figures } from "../features/on-call/Figures.tsx"
import type { FiguresSearch } from "../features/on-call/figuresSearch.ts"
import { daysOf } from "../features/on-call/timeline.ts"
import { t } from "../locales/text.ts"
import { Button } from "../ui/Button.tsx"
import { Segments } from "../ui/Choice.tsx"
import { TextField } from "../ui/Field.tsx"
import { Notice } from "../ui/Notice.tsx"
import { BackLink, PageFrame } from "../ui/PageFrame.tsx"
import { save } from "../ui/save.ts"
import { Refusal } from "../ui/Toast.tsx"

const periods: Readonly<Record<string, FiguresSearch>> = { "7": { days: 7 }, "30": {}, "90": { days: 90 } }

const OnCallFigures = () => {
  const organization = useOrganization()
  const search = useSearch({ from: "/shell/on-call/figures" })
  const navigate = useNavigate()
  // A page that stays open over midnight keeps its days.
  const [now] = useState(() => Date.now())
  const { errors, isBusy, setErrors, submit } = useSubmit()
  const days = daysOf(search, now)
  const { data, error, refetch } = useQuery({
    ...figuresQuery(organization?.id ?? "", days),
    enabled: organization !== undefined
  })
  const wrong = error === null ? {} : formErrors(error, ["from", "to"]).fields
  if (organization === undefined) return null
  const show = (search: FiguresSearch) => void navigate({ to: "/on-call/figures", search, replace: true })
  const chosen = search.from === undefined ? String(search.days ?? 30) : "own"
  const download = () =>
    submit(async () => save(await figuresCsv(organization.id, days), `on-call-${days.from}-${days.to}.csv`))
  return (
    <PageFrame
      title={t("On-call figures")}
      width="text"
      back={<BackLink to="/on-call">{t("On-call")}</BackLink>}
      actions={
        <Button onPress={() => void download()} isDisabled={isBusy || data === undefined}>
          {t("Download CSV")}
        </Button>
      }
    >
      <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
        <Segments
          label={t("Period")}
          value={chosen}
          onChange={(id) => show(periods[id] ?? days)}
          options={[
            { id: "7", label: t("7 days") },
            { id: "30", label: t("30 days") },
            { id: "90", label: t("90 days") },
            { id: "own", label: t("Own range") }
          ]}
        />
        {chosen === "own" && (
          <div className="flex flex-wrap items-start gap-3">
            <TextField
              label={t("From|time")}
              type="date"
              value={days.from}
              onChange={(from) => from !== "" && show({ from, to: days.to })}
              error={wrong["from"]}
            />
            <TextField
              label={t("To")}
              type="date"
              value={days.to}
              onChange={(to) => to !== "" && show({ from: days.from, to })}
              error={wrong["to"]}
            />
          </div>
        )}
      </div>
      {errors.general !== undefined && <Refusal onClose={() => setErrors(noErrors)}>{errors.general}</Refusal>}
      {error !== null ? (
        // The range is wrong: its field says so.
        chosen === "own" && Object.keys(wrong).length > 0 ? null : (
          <Notice actions={<Button onPress={() => void refetch()}>{t("Try again")}</Button>}>{reasonOf(error)}</Notice>
        )
      ) : (
        data !== undefined && <Figures figures={data} sees={includes(organization.role, "admin") ? "all" : "self"} />
      )}
    </PageFrame>
  )
}

export default OnCallFigures
