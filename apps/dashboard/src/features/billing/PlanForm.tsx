/** The form of a plan, for administrators. A change sends only what differs, so that it undoes no other one. */
import { byField } from "../../api/problem.ts"
import { useDraft } from "../../api/useDraft.ts"
import { t } from "../../locales/text.ts"
import { Switch } from "../../ui/Choice.tsx"
import { DialogForm } from "../../ui/DialogForm.tsx"
import { TextField } from "../../ui/Field.tsx"
import { NumberField } from "../../ui/NumberField.tsx"
import { unlimited } from "./Plans.tsx"
import type { Plan } from "./queries.ts"
import { useCreatePlan, useUpdatePlan } from "./writes.ts"

const fieldsOf = (plan: Plan | undefined) => ({
  name: plan?.name ?? "",
  monitors: plan?.monitors ?? 50,
  checkInterval: plan?.checkInterval ?? 60,
  regions: plan?.regions ?? null,
  price: plan?.price ?? 0,
  currency: plan?.currency ?? "EUR",
  customDomain: plan?.customDomain ?? false,
  unlimitedTeamMembers: plan?.unlimitedTeamMembers ?? false,
  sso: plan?.sso ?? false
})

type Fields = ReturnType<typeof fieldsOf>

export const PlanForm = ({
  onClose,
  onSaved,
  plan
}: {
  /** The plan that is changed; none for a new one. */
  readonly plan: Plan | undefined
  readonly onClose: () => void
  readonly onSaved: () => void
}) => {
  const {
    change,
    errors,
    fields,
    initial: before,
    isBusy,
    save
  } = useDraft(() => fieldsOf(plan), byField(Object.keys(fieldsOf(undefined))))
  const { mutateAsync: create } = useCreatePlan()
  const { mutateAsync: update } = useUpdatePlan()
  const wanted: Fields = { ...fields, name: fields.name.trim(), currency: fields.currency.trim().toUpperCase() }
  const changed = Object.entries(wanted).filter(([name, value]) => value !== before[name as keyof Fields])
  // A limit is never guessed: it may pause monitors of subscribers.
  const limitBefore = before.monitors === unlimited ? Number.NaN : before.monitors
  const isUnlimited = fields.monitors === unlimited
  return (
    <DialogForm
      action={plan === undefined ? t("Create plan") : t("Save")}
      errors={errors}
      isBusy={isBusy}
      isReady={fields.name.trim() !== ""}
      onClose={onClose}
      onSend={() =>
        save<unknown>(
          () => (plan === undefined ? create(wanted) : update({ planId: plan.id, body: Object.fromEntries(changed) })),
          onSaved
        )
      }
    >
      <TextField
        label={t("Name")}
        value={fields.name}
        onChange={(name) => change({ name })}
        error={errors.fields["name"]}
        isRequired
        autoFocus
        autoComplete="off"
      />
      <Switch isSelected={isUnlimited} onChange={(isOn) => change({ monitors: isOn ? unlimited : limitBefore })}>
        {t("Monitors without a limit")}
      </Switch>
      {!isUnlimited && (
        <NumberField
          label={t("Monitors")}
          help={t("Accounts on the plan that have more get some of them paused")}
          value={fields.monitors}
          onChange={(monitors) => change({ monitors })}
          minValue={1}
          error={errors.fields["monitors"]}
        />
      )}
      <NumberField
        label={t("Shortest interval between checks")}
        unit={t("seconds")}
        value={fields.checkInterval}
        onChange={(checkInterval) => change({ checkInterval })}
        minValue={1}
        error={errors.fields["checkInterval"]}
      />
      <NumberField
        label={t("Regions")}
        help={t("Shown to customers, not enforced")}
        optional
        value={fields.regions ?? Number.NaN}
        onChange={(regions) => change({ regions: Number.isNaN(regions) ? null : regions })}
        minValue={1}
        error={errors.fields["regions"]}
      />
      <div className="grid grid-cols-2 gap-4">
        <NumberField
          label={t("Price a month")}
          value={fields.price}
          onChange={(price) => change({ price })}
          minValue={0}
          error={errors.fields["price"]}
        />
        <TextField
          label={t("Currency")}
          value={fields.currency}
          onChange={(currency) => change({ currency })}
          error={errors.fields["currency"]}
          maxLength={3}
          autoComplete="off"
        />
      </div>
      <div className="flex flex-col">
        <Switch isSelected={fields.customDomain} onChange={(customDomain) => change({ customDomain })}>
          {t("Status pages on your own domain")}
        </Switch>
        <Switch
          isSelected={fields.unlimitedTeamMembers}
          onChange={(unlimitedTeamMembers) => change({ unlimitedTeamMembers })}
        >
          {t("Any number of team members")}
        </Switch>
        <Switch isSelected={fields.sso} onChange={(sso) => change({ sso })}>
          {t("Single sign-on")}
        </Switch>
      </div>
    </DialogForm>
  )
}
