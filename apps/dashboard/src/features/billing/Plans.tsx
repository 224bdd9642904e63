/** The plans there are, and the way to another one. */
import type { OrganizationRecord } from "../../api/organizations.ts"
import { permits } from "../../api/permissions.ts"
import { useSubmit } from "../../api/useSubmit.ts"
import { formatLocale, t } from "../../locales/text.ts"
import { duration } from "../../locales/time.ts"
import { Button } from "../../ui/Button.tsx"
import { idOf } from "../../ui/held.ts"
import { HeldList } from "../../ui/HeldList.tsx"
import { Outcome } from "../../ui/Toast.tsx"
import type { Plan } from "./queries.ts"
import { useCheckout } from "./writes.ts"

export const unlimited = -1

export const priceOf = ({ currency, price }: Plan): string =>
  price === 0 || currency === undefined
    ? t("Free")
    : t("{price} a month", {
        price: new Intl.NumberFormat(formatLocale(), { style: "currency", currency }).format(price)
      })

export const featuresOf = (plan: Plan): ReadonlyArray<string> => [
  plan.monitors === unlimited
    ? t("Monitors without a limit")
    : t("{count, plural, one {# monitor} other {# monitors}}", { count: plan.monitors }),
  t("Checks at most every {interval}", { interval: duration(plan.checkInterval) }),
  ...(plan.regions === undefined
    ? []
    : [t("{count, plural, one {# region} other {# regions}}", { count: plan.regions })]),
  ...(plan.customDomain === true ? [t("Status pages on your own domain")] : []),
  ...(plan.unlimitedTeamMembers === true ? [t("Any number of team members")] : []),
  ...(plan.sso === true ? [t("Single sign-on")] : [])
]

/** Asks the API for an address of the payment provider, and goes there. */
export const Plans = ({
  current,
  organization,
  plans
}: {
  readonly plans: ReadonlyArray<Plan>
  readonly current: string
  readonly organization: OrganizationRecord
}) => {
  const mayPay = permits(organization.role, "billing.write")
  const { mutateAsync: checkout } = useCheckout(organization)
  const {
    errors: { code, general: failure },
    isBusy,
    setErrors,
    submit
  } = useSubmit()
  // False if the API reports that the operator has set up no payments.
  const isSold = code !== "billing_not_configured"
  const choose = (planId: string) =>
    submit(async () => {
      location.assign((await checkout(planId)).checkoutUrl)
      // The form is busy until the page is left.
      await new Promise(() => undefined)
    })
  return (
    <div className="flex flex-col gap-3">
      {failure !== undefined && (
        <Outcome
          tone={isSold ? "down" : "maintenance"}
          onClose={() => setErrors((known) => ({ ...known, general: undefined }))}
        >
          {failure}
        </Outcome>
      )}
      <HeldList
        label={t("Plans")}
        items={plans}
        keyOf={idOf}
        className="grid gap-3 sm:grid-cols-2"
        rowClass="flex min-w-0 flex-col gap-2 rounded-xl border border-line p-4"
      >
        {(plan) => {
          const isCurrent = plan.id === current
          return (
            <>
              <h3 className="break-words">{plan.name}</h3>
              <p className="text-lg font-semibold tabular-nums">{priceOf(plan)}</p>
              <ul className="flex flex-1 flex-col gap-1 text-sm text-soft">
                {featuresOf(plan).map((feature) => (
                  <li key={feature}>{feature}</li>
                ))}
              </ul>
              {isCurrent ? (
                <p className="flex min-h-9 items-center text-sm font-medium">{t("Your plan")}</p>
              ) : (
                plan.price > 0 &&
                isSold &&
                mayPay && (
                  <div>
                    <Button onPress={() => void choose(plan.id)} isDisabled={isBusy}>
                      {t("Choose {plan}", { plan: plan.name })}
                    </Button>
                  </div>
                )
              )}
            </>
          )
        }}
      </HeldList>
    </div>
  )
}
