/** `/silences` */
import { Link } from "@tanstack/react-router"
import { Silences as List } from "../features/alerts/Silences.tsx"
import { t } from "../locales/text.ts"
import { Icon } from "../ui/Icon.tsx"

const Silences = () => (
  <div className="mx-auto max-w-5xl">
    <title>{`${t("Silences")} · Kanmon`}</title>
    <Link
      to="/alerts"
      className="mb-2 flex w-fit items-center gap-1.5 text-sm text-soft no-underline hover:text-ink pointer-coarse:min-h-11"
    >
      <Icon name="back" className="size-3.5 rtl:-scale-x-100" />
      {t("Alerts")}
    </Link>
    <h1 className="mb-4">{t("Silences")}</h1>
    <List />
  </div>
)

export default Silences
