/** For administrators: the plans of the installation, to create, change and delete. */
import { useState } from "react"
import { reasonOf } from "../../api/problem.ts"
import { useFirst } from "../../api/Parts.tsx"
import { t } from "../../locales/text.ts"
import { Button, IconButton } from "../../ui/Button.tsx"
import { Confirm } from "../../ui/Confirm.tsx"
import { partClass } from "../../ui/classes.ts"
import { idOf } from "../../ui/held.ts"
import { HeldList } from "../../ui/HeldList.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Dialog } from "../../ui/Overlay.tsx"
import { Refusal } from "../../ui/Toast.tsx"
import { PlanForm } from "./PlanForm.tsx"
import { featuresOf, priceOf } from "./Plans.tsx"
import { type Plan, plansQuery } from "./queries.ts"
import { useDeletePlan } from "./writes.ts"

type Open =
  { readonly kind: "form"; readonly plan: Plan | undefined } | { readonly kind: "delete"; readonly plan: Plan }

export const PlanList = () => {
  const removal = useDeletePlan()
  const { data: plans, error } = useFirst(plansQuery)
  const [open, setOpen] = useState<Open | undefined>(undefined)
  const close = () => setOpen(undefined)
  return (
    <section className={partClass}>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2>{t("Plans")}</h2>
        <Button onPress={() => setOpen({ kind: "form", plan: undefined })}>
          <Icon name="plus" />
          {t("New plan")}
        </Button>
      </div>
      <p className="text-sm text-soft">{t("Other people see changes of the plans within a minute.")}</p>
      {removal.error !== null && <Refusal onClose={removal.reset}>{reasonOf(removal.error)}</Refusal>}
      <HeldList
        label={t("Plans")}
        items={plans}
        keyOf={idOf}
        error={error}
        className="flex flex-col divide-y divide-line"
        rowClass="flex items-center gap-2 py-3 first:pt-0 last:pb-0"
      >
        {(plan) => (
          <>
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-baseline gap-x-3">
                <bdi className="min-w-0 font-medium break-words">{plan.name}</bdi>
                <span className="text-sm tabular-nums">{priceOf(plan)}</span>
              </p>
              <p className="text-small text-soft">{featuresOf(plan).join(" · ")}</p>
            </div>
            <IconButton
              aria-label={t("Edit {name}", { name: plan.name })}
              onPress={() => setOpen({ kind: "form", plan })}
            >
              <Icon name="edit" />
            </IconButton>
            <IconButton
              aria-label={t("Delete {name}", { name: plan.name })}
              onPress={() => setOpen({ kind: "delete", plan })}
            >
              <Icon name="trash" />
            </IconButton>
          </>
        )}
      </HeldList>
      <Dialog
        title={open?.plan === undefined ? t("New plan") : t("Edit {name}", { name: open.plan.name })}
        isOpen={open?.kind === "form"}
        onOpenChange={close}
      >
        <PlanForm plan={open?.plan} onClose={close} onSaved={close} />
      </Dialog>
      <Confirm
        title={open?.kind === "delete" ? t("Delete {name}?", { name: open.plan.name }) : ""}
        action={t("Delete")}
        isOpen={open?.kind === "delete"}
        onClose={close}
        onConfirm={() => {
          if (open?.kind === "delete") removal.mutate(open.plan.id)
          close()
        }}
      >
        <p>{t("The plan is no longer available for new subscriptions.")}</p>
      </Confirm>
    </section>
  )
}
