/** Where status pages are found: below the pages' domain, on domains of their own, and below this installation's address. */
import { every } from "@kanmon/engine/Job"
import type { PublishedPage } from "@kanmon/store/pages/PublicPages"
import { PublicPages } from "@kanmon/store/pages/PublicPages"
import { Clock, Context, Effect, Layer } from "effect"
import { ApiSettings } from "../http/ApiSettings.ts"
import * as HostName from "./HostName.ts"
import { PageChanges } from "./PageChanges.ts"

/** Custom domains are read again this often though nobody said that they changed. */
const freshFor = 15_000
const lookEvery = "250 millis"

export class PageAddresses extends Context.Service<
  PageAddresses,
  {
    /** The page's best address: its own domain, the pages' domain, or below this installation. */
    readonly best: (page: Pick<PublishedPage, "customDomain"> & { readonly page: { readonly slug: string } }) => string
    /** The slug of the page that a host belongs to; nothing when the host is nobody's. `host` may have a port. */
    readonly slugOf: (host: string) => string | undefined
  }
>()("@kanmon/server/PageAddresses") {
  static readonly layer = Layer.effect(
    PageAddresses,
    Effect.gen(function* () {
      const { baseUrl, pagesDomain } = yield* ApiSettings
      const pages = yield* PublicPages
      const changes = yield* PageChanges
      const { host: ownHost, hostname: ownName, port, protocol } = new URL(baseUrl)
      const below = pagesDomain === undefined ? undefined : `.${pagesDomain}`
      let custom: ReadonlyMap<string, string> = new Map()
      let mark = -1
      let readAt = 0

      const look = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        if (mark >= 0 && !changes.pagesSince(mark) && now - readAt < freshFor) return
        const before = changes.mark()
        custom = yield* pages.customDomains
        mark = before
        readAt = now
      })
      yield* every(lookEvery, "Reading the pages' own domains", look)

      return PageAddresses.of({
        best: ({ customDomain, page: { slug } }) =>
          customDomain !== null
            ? `https://${customDomain}`
            : below !== undefined
              ? `${protocol}//${slug}${below}${port === "" ? "" : `:${port}`}`
              : `${baseUrl}/status/${slug}`,
        slugOf: (host) => {
          if (host === ownHost) return undefined
          const name = HostName.ofHeader(host)
          if (name === undefined || name === ownName) return undefined
          if (below !== undefined && name.endsWith(below)) return name.slice(0, -below.length)
          return custom.get(name)
        }
      })
    })
  )
}
