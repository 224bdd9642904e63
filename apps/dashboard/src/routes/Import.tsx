/** `/import`: from Uptime Kuma to here. */
import { ImportForm } from "../features/imports/ImportForm.tsx"
import { t } from "../locales/text.ts"
import { restricted } from "./restricted.tsx"
import { BackLink, PageFrame } from "../ui/PageFrame.tsx"

const Import = () => (
  <PageFrame
    title={t("Import from Uptime Kuma")}
    width="text"
    back={<BackLink to="/monitors">{t("All monitors")}</BackLink>}
  >
    <p className="text-soft">
      {t(
        "Stop Uptime Kuma 2 and choose kuma.db from its data directory, or choose a JSON backup of version 1. First you see what would be created, and what has no counterpart."
      )}
    </p>
    <ImportForm />
  </PageFrame>
)

export default restricted("monitors.write", Import)
