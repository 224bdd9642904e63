/** Somebody who reads a status page in a browser. What the browser complains of on the way is the page's fault. */
import { Effect } from "effect"
import type { BrowserContextOptions, Page, Request } from "playwright-core"
import { visit as visitIn } from "../support/Browser.ts"
import { picture } from "./Look.ts"
import { Site } from "./Site.ts"

export interface Visit {
  readonly page: Page
  readonly site: Site["Service"]
  /** Errors and warnings of the console, broken policies, requests that went elsewhere. None is left at the end. */
  readonly faults: Array<string>
  /** Requests for documents and their parts, in order. */
  readonly requests: ReadonlyArray<Request>
  /** Keeps a picture of what is seen, for people to look at. */
  readonly picture: (name: string, options?: { readonly whole?: boolean }) => Promise<void>
}

const isOurs = (address: string): boolean => {
  const { hostname, protocol } = new URL(address)
  return protocol === "data:" || hostname === "127.0.0.1" || hostname.endsWith(".localhost")
}

/** Opens a new browser profile, and closes it whatever happens. */
export const visit = (options: BrowserContextOptions, read: (visit: Visit) => Promise<void>) =>
  Effect.gen(function* () {
    const site = yield* Site
    yield* visitIn({ timezoneId: "UTC", ...options }, async (context, faults) => {
      const requests: Array<Request> = []
      context.on("console", (message) => {
        if (["error", "warning"].includes(message.type())) faults.push(`${message.type()}: ${message.text()}`)
      })
      context.on("request", (request) => {
        if (!isOurs(request.url())) faults.push(`A request to ${request.url()}`)
        if (["document", "fetch"].includes(request.resourceType())) requests.push(request)
      })
      const page = await context.newPage()
      await read({
        page,
        site,
        faults,
        requests,
        picture: (name, { whole = true } = {}) => picture(page, name, whole)
      })
    })
  })
