/** `/settings/billing`: the plan, its use, other plans, and payment. */
import { useQuery } from "@tanstack/react-query"
import { reasonOf } from "../api/problem.ts"
import { type OrganizationRecord, useOrganization } from "../api/organizations.ts"
import { permits } from "../api/permissions.ts"
import { Plans } from "../features/billing/Plans.tsx"
import { plansQuery, subscriptionQuery } from "../features/billing/queries.ts"
import { Usage } from "../features/billing/Usage.tsx"
import { useBillingPortal } from "../features/billing/writes.ts"
import { t } from "../locales/text.ts"
import { Button } from "../ui/Button.tsx"
import { partClass } from "../ui/classes.ts"
import { Notice } from "../ui/Notice.tsx"
import { restricted } from "./restricted.tsx"

const Billing = ({ organization }: { readonly organization: OrganizationRecord }) => {
  const { data: subscription, error } = useQuery(subscriptionQuery(organization))
  const { data: plans, error: plansError } = useQuery(plansQuery)
  const portal = useBillingPortal(organization)
  const problem = error ?? plansError
  if (problem !== null) return <Notice>{problem.message}</Notice>
  if (subscription === undefined || plans === undefined) return null
  const plan = plans.find(({ id }) => id === subscription.effectivePlanId)
  const isSold = subscription.payments && plans.some(({ price }) => price > 0)
  const openPortal = () => portal.mutate(undefined, { onSuccess: ({ portalUrl }) => location.assign(portalUrl) })
  return (
    <>
      <title>{`${t("Billing")} · Kanmon`}</title>
      <section className={partClass}>
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h2>{plan === undefined ? t("Plan") : t("Plan {plan}", { plan: plan.name })}</h2>
          {subscription.currentPeriodEnd !== null && permits(organization.role, "billing.write") && (
            <Button onPress={openPortal}>{t("Cards, invoices and cancellation")}</Button>
          )}
        </div>
        {portal.error !== null && <Notice>{reasonOf(portal.error)}</Notice>}
        <Usage plan={plan} subscription={subscription} />
      </section>
      {isSold ? (
        <section className={partClass}>
          <h2>{t("Plans")}</h2>
          <Plans organization={organization} plans={plans} current={subscription.effectivePlanId} />
        </section>
      ) : (
        <p className="text-sm text-soft">{t("This installation sells no plans.")}</p>
      )}
    </>
  )
}

const OfOrganization = () => {
  const organization = useOrganization()
  return organization === undefined ? null : <Billing key={organization.id} organization={organization} />
}

export default restricted("billing.read", OfOrganization)
