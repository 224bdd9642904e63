/** `/silences` */
import { Silences as List } from "../features/alerts/Silences.tsx"
import { t } from "../locales/text.ts"
import { BackLink, PageFrame } from "../ui/PageFrame.tsx"

const Silences = () => (
  <PageFrame title={t("Silences")} back={<BackLink to="/alerts">{t("Alerts")}</BackLink>}>
    <List />
  </PageFrame>
)

export default Silences
