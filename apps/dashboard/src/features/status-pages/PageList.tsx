/** The status pages of the project, with where they are shown. */
import { useMay } from "../../api/permissions.ts"
import { refusalOf } from "../../api/write.ts"
import { t } from "../../locales/text.ts"
import { IconButton, RouteLink } from "../../ui/Button.tsx"
import { DeletableList } from "../../ui/DeletableList.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { DomainState } from "./CustomDomain.tsx"
import { pageAddress, type StatusPage } from "./queries.ts"
import { useDeletePage } from "./writes.ts"

export const PageList = ({ pages }: { readonly pages: ReadonlyArray<StatusPage> }) => {
  const mayWrite = useMay("statusPages.write")
  const { mutate: remove, ...attempt } = useDeletePage()
  return (
    <DeletableList
      label={t("Status pages")}
      items={pages}
      rowClass="flex flex-wrap items-center gap-x-4 gap-y-2 px-2 py-3.5"
      remove={remove}
      {...refusalOf([attempt])}
      question={t("Delete this status page?")}
      consequence={() => t("Its visitors get “not found”. The monitors stay. Other pages can then have its address.")}
    >
      {(page, onDelete) => (
        <>
          <div className="flex min-w-0 flex-1 basis-60 flex-col gap-0.5">
            {mayWrite ? (
              <RouteLink
                to="/status-pages/$id"
                params={{ id: page.id }}
                className="line-clamp-2 w-fit font-medium text-ink hover:underline"
              >
                <bdi>{page.name}</bdi>
              </RouteLink>
            ) : (
              <bdi className="line-clamp-2 w-fit font-medium">{page.name}</bdi>
            )}
            <p className="text-small text-soft">
              {page.customDomain ?? pageAddress(page.slug).replace(/^https?:\/\//, "")}
              {" · "}
              {t("{count, plural, one {# monitor} other {# monitors}}", { count: page.monitors.length })}
              {page.tags.length > 0 && ` · ${t("and those tagged {tags}", { tags: page.tags.join(", ") })}`}
            </p>
            <DomainState page={page} />
          </div>
          <div className="flex gap-1">
            <a
              href={pageAddress(page.slug)}
              target="_blank"
              rel="noreferrer"
              className="inline-flex min-h-9 items-center rounded-lg border border-line px-3.5 text-sm font-medium text-ink no-underline hover:bg-ink/5 pointer-coarse:min-h-11"
              aria-label={t("Open the page {name}", { name: page.name })}
            >
              {t("Open the page")}
            </a>
            {mayWrite && (
              <IconButton aria-label={t("Delete {name}", { name: page.name })} onPress={onDelete}>
                <Icon name="trash" />
              </IconButton>
            )}
          </div>
        </>
      )}
    </DeletableList>
  )
}
