/** For administrators: the plans of the installation, to create, change and delete. */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { reasonOf } from "../../api/problem.ts"
import { request } from "../../api/request.ts"
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

type Open =
  { readonly kind: "form"; readonly plan: Plan | undefined } | { readonly kind: "delete"; readonly plan: Plan }

export const PlanList = () => {
  const client = useQueryClient()
  const { data: plans, error } = useQuery(plansQuery)
  const [open, setOpen] = useState<Open | undefined>(undefined)
  const [failure, setFailure] = useState<string | undefined>(undefined)
  const close = () => setOpen(undefined)
  // The API lets the list be kept for a minute, so it is not asked again.
  const keep = (change: (known: ReadonlyArray<Plan>) => ReadonlyArray<Plan>) =>
    client.setQueryData(plansQuery.queryKey, (known) => change(known ?? []))
  const remove = async ({ id }: Plan) => {
    close()
    setFailure(undefined)
    try {
      await request("DELETE /billing/plans/:planId", { params: { planId: id } })
      keep((known) => known.filter((plan) => plan.id !== id))
    } catch (error) {
      setFailure(reasonOf(error))
    }
  }
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
      {failure !== undefined && <Refusal onClose={() => setFailure(undefined)}>{failure}</Refusal>}
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
        <PlanForm
          plan={open?.plan}
          onClose={close}
          onSaved={(saved) => {
            keep((known) =>
              [...known.filter(({ id }) => id !== saved.id), saved].sort((one, other) => one.price - other.price)
            )
            close()
          }}
        />
      </Dialog>
      <Confirm
        title={open?.kind === "delete" ? t("Delete {name}?", { name: open.plan.name }) : ""}
        action={t("Delete")}
        isOpen={open?.kind === "delete"}
        onClose={close}
        onConfirm={() => {
          if (open?.kind === "delete") void remove(open.plan)
        }}
      >
        <p>{t("Nobody can subscribe to the plan any more.")}</p>
      </Confirm>
    </section>
  )
}
