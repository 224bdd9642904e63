/** Where status pages are found: below the pages' domain, on domains of their own, and below this installation's address. */
import { isReserved } from "@kanmon/engine/certificates/DomainNames"
import { every } from "@kanmon/engine/Job"
import type { PublishedPage } from "@kanmon/store/pages/PublicPages"
import { PublicPages } from "@kanmon/store/pages/PublicPages"
import { Clock, Context, Effect, Layer } from "effect"
import { ApiSettings } from "../http/ApiSettings.ts"
import * as HostName from "./HostName.ts"
import * as OwnDomains from "./OwnDomains.ts"
import { PageChanges } from "./PageChanges.ts"

/** Custom domains are read again this often though nobody said that they changed. */
const freshFor = 15_000
const lookEvery = "250 millis"

export class PageAddresses extends Context.Service<
  PageAddresses,
  {
    /** The page's best address: its own domain, the pages' domain, or below this installation. */
    readonly best: (page: Pick<PublishedPage, "customDomain"> & { readonly page: { readonly slug: string } }) => string
    /**
     * The slug of the page that a host belongs to; nothing when it is the installation's own or nobody's. What the database
     * says of a name matters only when it is not the installation's. `host` may have a port.
     */
    readonly slugOf: (host: string) => string | undefined
  }
>()("@kanmon/server/PageAddresses") {
  static readonly layer = Layer.effect(
    PageAddresses,
    Effect.gen(function* () {
      const settings = yield* ApiSettings
      const { baseUrl, pagesDomain } = settings
      const names = OwnDomains.names(settings)
      const pages = yield* PublicPages
      const changes = yield* PageChanges
      const { host: ownHost, port, protocol } = new URL(baseUrl)
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
          if (name === undefined || names.reserved.includes(name)) return undefined
          if (below !== undefined && name.endsWith(below)) return name.slice(0, -below.length)
          return isReserved(name, names) ? undefined : custom.get(name)
        }
      })
    })
  )
}
