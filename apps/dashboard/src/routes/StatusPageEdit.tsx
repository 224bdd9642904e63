/** `/status-pages/new` and `/status-pages/$id` */
import { Link, useParams } from "@tanstack/react-router"
import { PageForm } from "../features/status-pages/PageForm.tsx"
import { pageAddress, useStatusPages } from "../features/status-pages/queries.ts"
import { useProjectData } from "../live/ProjectData.tsx"
import { t } from "../locales/text.ts"
import { useKept } from "../ui/held.ts"
import { Icon } from "../ui/Icon.tsx"
import { NotFound, PageError } from "./Failures.tsx"
import { restricted } from "./restricted.tsx"

const StatusPageEdit = () => {
  const { id } = useParams({ strict: false })
  const { state } = useProjectData()
  const { data, error, refetch } = useStatusPages()
  const page = useKept(data, id)
  if (data === undefined) return error === null ? null : <PageError error={error} reset={() => void refetch()} />
  if (state === "loading") return null
  if (id !== undefined && page === undefined) return <NotFound />
  const title = page?.name ?? t("New status page")
  return (
    <div className="mx-auto flex max-w-2xl min-w-0 xl:max-w-none flex-col gap-5">
      <title>{`${title} · Kanmon`}</title>
      <Link
        to="/status-pages"
        className="flex w-fit items-center gap-1.5 text-sm text-soft no-underline hover:text-ink"
      >
        <Icon name="back" className="size-3.5 rtl:-scale-x-100" />
        {t("Status pages")}
      </Link>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <h1>
          <bdi className="line-clamp-3">{title}</bdi>
        </h1>
        {page !== undefined && (
          <a
            href={pageAddress(page.slug)}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-9 items-center rounded-lg border border-line px-3.5 text-sm font-medium text-ink no-underline hover:bg-ink/5 pointer-coarse:min-h-11"
          >
            {t("Open the page")}
          </a>
        )}
      </div>
      <PageForm key={id ?? "new"} {...(page === undefined ? {} : { page })} />
    </div>
  )
}

export default restricted("statusPages.write", StatusPageEdit)
