/** The parts of a monitor's page, as links. */
import { Link } from "@tanstack/react-router"
import { t } from "../../locales/text.ts"
import { type View, views } from "./views.ts"

const tab =
  "inline-flex shrink-0 whitespace-nowrap min-h-9 pointer-coarse:min-h-11 items-center border-b-2 border-transparent px-2.5 text-sm text-soft no-underline hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink"

export const Tabs = ({
  id,
  offered,
  view
}: {
  readonly id: string
  readonly view: View
  readonly offered: ReadonlyArray<View>
}) => (
  <nav
    aria-label={t("Parts of this page")}
    className="flex overflow-x-auto border-b border-line [scrollbar-width:none]"
  >
    {offered.map((name) => (
      <Link
        key={name}
        to="/monitors/$id"
        params={{ id }}
        search={name === "overview" ? {} : { view: name }}
        resetScroll={false}
        activeOptions={{ includeSearch: true, exact: true }}
        aria-current={name === view ? "page" : undefined}
        className={tab}
      >
        {t(views[name])}
      </Link>
    ))}
  </nav>
)
