/** The error of a form as a whole; for a limit of the plan, with the way to larger plans. */
import { t } from "../locales/text.ts"
import { RouteLink } from "./Button.tsx"
import { Notice } from "./Notice.tsx"

export const FormProblem = ({
  className,
  errors: { code, general }
}: {
  readonly errors: { readonly general: string | undefined; readonly code?: string }
  readonly className?: string
}) => {
  const isLimit = code === "plan_limit_reached"
  if (general === undefined && !isLimit) return null
  return (
    <Notice
      {...(className === undefined ? {} : { className })}
      actions={
        isLimit && (
          <RouteLink kind="plain" to="/settings/billing">
            {t("See your plan")}
          </RouteLink>
        )
      }
    >
      {general ?? t("Your plan does not allow this.")}
    </Notice>
  )
}
