/** The addresses of status pages: below the pages' domain, on custom domains, and below this installation's address. */
import { HostName, InstallationNames, isReserved } from "../custom-domains/index.ts"
import { failureLog } from "@kanmon/core/Recurring"
import type { PublishedPage } from "./PublicPages.ts"
import { PublicPages } from "./PublicPages.ts"
import { Context, Effect, Layer } from "effect"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import { PageChanges } from "./PageChanges.ts"

/** Custom domains are read again after this time, even without an event. */
const freshFor = "15 seconds"
/** Between two reads, however many pages change. */
const minimumPause = "250 millis"

export class PageAddresses extends Context.Service<PageAddresses>()("@kanmon/monitoring/status-pages/PageAddresses", {
  make: Effect.gen(function* () {
    const settings = yield* ApiSettings
    const { baseUrl, pagesDomain } = settings
    const names = InstallationNames.names(settings)
    const pages = yield* PublicPages
    const changes = yield* PageChanges
    const { host: ownHost, port, protocol } = new URL(baseUrl)
    const below = pagesDomain === undefined ? undefined : `.${pagesDomain}`
    let custom: ReadonlyMap<string, string> = new Map()

    const read = Effect.map(pages.customDomains, (found) => {
      custom = found
    })
    yield* failureLog("Reading custom domains")
      .retryUntilSuccess(read, "1 second")
      .pipe(
        Effect.andThen(Effect.sleep(minimumPause)),
        Effect.andThen(Effect.raceFirst(changes.pagesChanged, Effect.sleep(freshFor))),
        Effect.forever,
        Effect.forkScoped
      )

    return {
      /** The page's best address: its custom domain, the pages' domain, or below this installation. */
      best: ({
        customDomain,
        page: { slug }
      }: Pick<PublishedPage, "customDomain"> & { readonly page: { readonly slug: string } }) =>
        customDomain !== null
          ? `https://${customDomain}`
          : below !== undefined
            ? `${protocol}//${slug}${below}${port === "" ? "" : `:${port}`}`
            : `${baseUrl}/status/${slug}`,
      /**
       * The slug of the page that a host belongs to; undefined for unknown hosts and for the installation's own names,
       * even if the database contains them. `host` may have a port.
       */
      slugOf: (host: string) => {
        if (host === ownHost) return undefined
        const name = HostName.ofHeader(host)
        if (name === undefined || names.reserved.includes(name)) return undefined
        if (below !== undefined && name.endsWith(below)) return name.slice(0, -below.length)
        return isReserved(name, names) ? undefined : custom.get(name)
      }
    }
  })
}) {
  static readonly layer = Layer.effect(PageAddresses, PageAddresses.make)
}
