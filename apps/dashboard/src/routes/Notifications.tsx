/** `/settings/notifications`: how the visitor is reached when they are on call. */
import { Parts } from "../api/Parts.tsx"
import { Methods } from "../features/contact/Methods.tsx"
import { PageTest } from "../features/contact/PageTest.tsx"
import { QuietHours } from "../features/contact/QuietHours.tsx"
import { NotificationRules, Reachable } from "../features/contact/Rules.tsx"
import { OwnShifts } from "../features/on-call/OwnShifts.tsx"
import { t } from "../locales/text.ts"

const Notifications = () => (
  <>
    <title>{`${t("Notifications")} · Kanmon`}</title>
    <Parts>
      <Reachable />
      <Methods />
      <NotificationRules />
      <PageTest />
      <QuietHours />
      <OwnShifts />
    </Parts>
  </>
)

export default Notifications
