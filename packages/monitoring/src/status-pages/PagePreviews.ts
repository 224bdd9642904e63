/** Renders pages that are being written as their visitors would see them. Nothing is saved or cached. */
import * as BaseAddress from "@kanmon/domain/BaseAddress"
import type { ProjectId } from "@kanmon/domain/Ids"
import { renderPreview } from "@kanmon/status-page/Document"
import { Effect, Semaphore } from "effect"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import { PublicPages } from "./PublicPages.ts"
import type { PageDraft } from "./StatusPages.ts"

/** At once in this process. A page of a thousand monitors takes a while, and forms ask at every pause in typing. */
const previewsAtOnce = 2

export const make = Effect.gen(function* () {
  const pages = yield* PublicPages
  const { baseUrl } = yield* ApiSettings
  const root = BaseAddress.pathOf(baseUrl)
  const slots = yield* Semaphore.make(previewsAtOnce)

  /** The HTML of the page that the draft describes. */
  return Effect.fn("PagePreviews.render")(function* (
    projectId: ProjectId,
    draft: PageDraft,
    scheme: "light" | "dark" | undefined
  ) {
    const page = yield* pages.preview(projectId, draft).pipe(slots.withPermits(1))
    const path = `/status/${page.slug}`
    return {
      html: renderPreview({ ...page, url: `${baseUrl}${path}` }, { root, base: `${root}${path}` }, scheme)
    }
  })
})
