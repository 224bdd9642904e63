/** `/import`: from Uptime Kuma to here. */
import { Link } from "@tanstack/react-router"
import { ImportForm } from "../features/imports/ImportForm.tsx"
import { t } from "../locales/text.ts"
import { Icon } from "../ui/Icon.tsx"
import { restricted } from "./restricted.tsx"

const Import = () => (
  <div className="mx-auto flex max-w-3xl min-w-0 flex-col gap-5">
    <title>{`${t("Import from Uptime Kuma")} · Kanmon`}</title>
    <Link
      to="/monitors"
      className="flex w-fit max-w-full min-w-0 items-center gap-1.5 text-sm text-soft no-underline hover:text-ink"
    >
      <Icon name="back" className="size-3.5 shrink-0 rtl:-scale-x-100" />
      {t("All monitors")}
    </Link>
    <h1>{t("Import from Uptime Kuma")}</h1>
    <p className="text-soft">
      {t(
        "Stop Uptime Kuma 2 and choose kuma.db from its data directory, or choose a JSON backup of version 1. First you see what would be created, and what has no counterpart."
      )}
    </p>
    <ImportForm />
  </div>
)

export default restricted("monitors.write", Import)
