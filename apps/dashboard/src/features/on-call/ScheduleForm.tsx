/** The form of a schedule, with a preview of the shifts that it makes. */
import { useNavigate } from "@tanstack/react-router"
import { type SyntheticEvent, useState } from "react"
import { Form } from "react-aria-components"
import { ApiError, type FormErrors, formErrors, noErrors } from "../../api/problem.ts"
import { schedulesQuery } from "../../api/schedules.ts"
import { useDraft } from "../../api/useDraft.ts"
import { ConflictNotice } from "../../forms/ConflictNotice.tsx"
import { HoursFields } from "../../forms/HoursFields.tsx"
import { LeaveGuard } from "../../forms/LeaveGuard.tsx"
import { TimeZoneField } from "../../forms/TimeZoneField.tsx"
import { t } from "../../locales/text.ts"
import { ownZone } from "../../locales/time.ts"
import { Button, IconButton } from "../../ui/Button.tsx"
import { TextField } from "../../ui/Field.tsx"
import { FormProblem } from "../../ui/FormProblem.tsx"
import { Icon } from "../../ui/Icon.tsx"
import {
  bodyOf,
  draftOf,
  isWhole,
  type LayerDraft,
  moved,
  newBodyOf,
  lastHandoffDay,
  newLayer,
  type ScheduleDraft,
  usualHours
} from "./draft.ts"
import { LayerFields } from "./LayerFields.tsx"
import { Preview } from "./Preview.tsx"
import type { People, Schedule } from "./queries.ts"
import { peopleIn } from "./timeline.ts"
import { useBadges } from "./useBadges.ts"
import { useCreateSchedule, useUpdateSchedule } from "./writes.ts"

const names = ["name", "timezone", "coverage"]

/** The errors of each layer, by the field below it; the rest as in any form. */
const sorted = (
  error: unknown
): { readonly form: FormErrors; readonly layers: ReadonlyArray<Record<string, string>> } => {
  const layers: Array<Record<string, string>> = []
  if (!(error instanceof ApiError)) return { form: formErrors(error, names), layers }
  const rest = error.fields.filter(({ message, path }) => {
    const found = /^layers\[(\d{1,3})\]\.?(\w*)/.exec(path.slice(0, 200))
    const field = found?.[2] ?? ""
    if (found === null || field === "") return true
    const layer = (layers[Number(found[1])] ??= {})
    layer[field] ??= message
    return false
  })
  const others = error.fields.length > 0 && rest.length === 0
  return {
    form: others
      ? noErrors
      : formErrors(
          new ApiError({ status: error.status, code: error.code, detail: error.message, errors: rest }),
          names
        ),
    layers
  }
}

const sorting = { errorsOf: sorted, none: { form: noErrors, layers: [] } as ReturnType<typeof sorted> }

const fresh = (ownId: string | undefined): ScheduleDraft => ({
  name: "",
  timezone: ownZone(),
  coverage: [],
  layers: [newLayer([], t("Primary"), lastHandoffDay(Date.now()), ownId)]
})

export const ScheduleForm = ({
  organizationId,
  people: known,
  schedule
}: {
  readonly organizationId: string
  readonly people: People
  readonly schedule?: Schedule
}) => {
  const { mutateAsync: create } = useCreateSchedule(organizationId)
  const { mutateAsync: update } = useUpdateSchedule(organizationId)
  const navigate = useNavigate()
  // As they were when the form was opened: a choice that comes or goes would move what is about to be pressed.
  const [people] = useState(known)
  const {
    change: put,
    conflict,
    errors: { form, layers: layerErrors },
    fields: draft,
    initial,
    isBusy,
    isChanged,
    save
  } = useDraft(
    (known: Schedule | undefined) => (known === undefined ? fresh(people.ownId) : draftOf(known)),
    sorting,
    undefined,
    { record: schedule, query: schedulesQuery(organizationId) }
  )
  const before = schedule === undefined ? undefined : initial
  const [isTouched, setTouched] = useState(false)
  const badges = useBadges(peopleIn(draft.layers, []), people)
  const change = (part: Partial<ScheduleDraft>) => {
    put(part)
    setTouched(true)
  }
  const changeLayer = (layer: LayerDraft) =>
    change({ layers: draft.layers.map((each) => (each.key === layer.key ? layer : each)) })
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    void save(
      () =>
        schedule === undefined
          ? create(newBodyOf(draft))
          : update({ scheduleId: schedule.id, body: bodyOf(draft, initial) }),
      ({ id }) => navigate({ to: "/on-call/schedules/$id", params: { id }, search: {} })
    )
  }

  return (
    <>
      <Form onSubmit={send} validationBehavior="aria" className="flex flex-col gap-5">
        <div className="grid min-w-0 items-start gap-4 sm:grid-cols-2">
          <TextField
            label={t("Name")}
            value={draft.name}
            onChange={(name) => change({ name })}
            error={form.fields["name"]}
            isRequired
            autoComplete="off"
          />
          <TimeZoneField
            value={draft.timezone}
            onChange={(timezone) => change({ timezone })}
            help={t("Handoffs and hours follow its clock, also when it changes")}
            error={form.fields["timezone"]}
          />
        </div>
        {draft.layers.map((layer, index) => (
          <section
            key={layer.key}
            aria-label={t("Layer {name}", { name: layer.name })}
            className="flex min-w-0 flex-col gap-3 border-t border-line pt-5"
          >
            <div className="flex min-h-9 items-center gap-1">
              <h2 className="min-w-0 flex-1 truncate">{t("Layer {name}", { name: layer.name })}</h2>
              {draft.layers.length > 1 && (
                <>
                  <IconButton
                    aria-label={t("Move the layer {name} up", { name: layer.name })}
                    isDisabled={index === 0}
                    onPress={() => change({ layers: moved(draft.layers, index, -1) })}
                  >
                    <Icon name="chevron" className="rotate-180" />
                  </IconButton>
                  <IconButton
                    aria-label={t("Move the layer {name} down", { name: layer.name })}
                    isDisabled={index === draft.layers.length - 1}
                    onPress={() => change({ layers: moved(draft.layers, index, 1) })}
                  >
                    <Icon name="chevron" />
                  </IconButton>
                  <IconButton
                    aria-label={t("Remove the layer {name}", { name: layer.name })}
                    onPress={() => change({ layers: draft.layers.filter(({ key }) => key !== layer.key) })}
                  >
                    <Icon name="trash" />
                  </IconButton>
                </>
              )}
            </div>
            <LayerFields
              layer={layer}
              onChange={changeLayer}
              people={people}
              badges={badges}
              errors={layerErrors[index] ?? {}}
            />
          </section>
        ))}
        <div className="flex flex-wrap items-center gap-3">
          <Button
            onPress={() =>
              change({
                layers: [
                  ...draft.layers,
                  newLayer(
                    draft.layers,
                    t("Layer {number}", { number: draft.layers.length + 1 }),
                    lastHandoffDay(Date.now()),
                    undefined
                  )
                ]
              })
            }
          >
            <Icon name="plus" />
            {t("Add a layer")}
          </Button>
          {draft.layers.length > 1 && (
            <p className="text-small text-soft">
              {t("A later layer wins over those before it where it has somebody.")}
            </p>
          )}
        </div>
        <section className="border-t border-line pt-5">
          <HoursFields
            label={t("Somebody has to be on call in some hours only")}
            usual={usualHours}
            value={draft.coverage}
            onChange={(coverage) => change({ coverage })}
            error={form.fields["coverage"]}
          />
        </section>
        <ConflictNotice of={conflict} />
        <FormProblem errors={form} />
        <div className="flex flex-wrap gap-2">
          <Button
            kind="primary"
            type="submit"
            isDisabled={isBusy || draft.name.trim() === "" || !isWhole(draft) || (schedule !== undefined && !isTouched)}
          >
            {schedule === undefined ? t("Create the schedule") : t("Save")}
          </Button>
        </div>
        {/* Below the button, which an answer must not move. */}
        <section className="flex min-w-0 flex-col gap-3 border-t border-line pt-5" aria-label={t("Preview")}>
          <h2>{t("Preview of two weeks")}</h2>
          <Preview
            organizationId={organizationId}
            scheduleId={schedule?.id}
            draft={draft}
            before={before}
            people={people}
            badges={badges}
          />
        </section>
      </Form>
      <LeaveGuard isChanged={isChanged} />
    </>
  )
}
