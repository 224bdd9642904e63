/** What the provider said to a test notification, over the page: it comes seconds after the press. */
import { t } from "../../locales/text.ts"
import { Outcome } from "../../ui/Toast.tsx"
import { type Channel, useTest } from "./queries.ts"
import { useForgetTest } from "./writes.ts"

export const TestResult = ({ channel: { id, name } }: { readonly channel: Channel }) => {
  const forget = useForgetTest()
  const test = useTest(id)
  if (test === undefined || test === null || test.state === "sending") return null
  return (
    <Outcome tone={test.state === "delivered" ? "up" : "down"} onClose={() => forget(id)}>
      <bdi className="font-medium">{name}</bdi>:{" "}
      <span>
        {test.state === "delivered"
          ? t("The test was delivered: {detail}", { detail: test.detail })
          : t("The test was not delivered: {detail}", { detail: test.detail })}
      </span>
    </Outcome>
  )
}
