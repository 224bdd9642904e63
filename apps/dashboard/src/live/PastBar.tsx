/** Above every page while it shows the past: of which instant it is, the way back, and a link to it for others. */
import { Link } from "@tanstack/react-router"
import { t } from "../locales/text.ts"
import { CopyButton } from "../ui/CopyButton.tsx"
import { Moment } from "../ui/Time.tsx"

export const PastBar = ({ at }: { readonly at: string }) => (
  <aside
    aria-label={t("The past")}
    className="mb-5 flex flex-wrap items-center gap-x-4 gap-y-1 rounded-xl border border-line bg-surface px-4 py-2 text-sm"
  >
    <p className="min-w-0 grow basis-64">
      <span className="font-medium">
        {t("As it was on")} <Moment at={at} />
      </span>
      <span className="block text-small text-soft">
        {t("As it was known then. Names and settings are those of today, and nothing can be changed here.")}
      </span>
    </p>
    <CopyButton text={location.href} label={t("Copy link")} />
    <Link
      to="."
      search={(known: Record<string, unknown>) => ({ ...known, at: undefined, from: undefined, to: undefined })}
      className="inline-flex min-h-9 items-center font-medium text-accent underline underline-offset-3 pointer-coarse:min-h-11"
    >
      {t("Back to now")}
    </Link>
  </aside>
)
