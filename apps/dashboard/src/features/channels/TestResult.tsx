/** What the provider said to a test notification. */
import { t } from "../../locales/text.ts"
import { Notice } from "../../ui/Notice.tsx"
import { useTest } from "./queries.ts"

export const TestResult = ({ id }: { readonly id: string }) => {
  const test = useTest(id)
  return (
    <div role="status" aria-live="polite">
      {test?.state === "delivered" && (
        <Notice tone="up">{t("The test was delivered: {detail}", { detail: test.detail })}</Notice>
      )}
      {test?.state === "failed" && (
        <Notice>{t("The test was not delivered: {detail}", { detail: test.detail })}</Notice>
      )}
    </div>
  )
}
