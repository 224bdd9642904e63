/**
 * Decides once where a request belongs: by its host, then by the path of the installation's address, then by the first name of its
 * path. No part is offered the requests of another one.
 */
import * as CustomDomains from "@kanmon/monitoring/custom-domains"
import type { PageSite } from "@kanmon/monitoring/status-pages"
import type { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import * as BelowPath from "@kanmon/platform/http/BelowPath"
import { pathOf } from "@kanmon/platform/http/RequestInfo"
import type { Located } from "@kanmon/platform/http/RequestPipeline"
import { isBelowRoots, methodsOf, servingOf } from "@kanmon/protocol/Routes"
import { usual } from "@kanmon/protocol/Serving"
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { DashboardSite } from "./dashboard/DashboardSite.ts"

type Request = HttpServerRequest.HttpServerRequest
type Answer<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

export interface Parts<E, R> {
  /** The routes of the contract. */
  readonly contract: Answer<E, R>
  readonly pages: PageSite["Service"]
  readonly dashboard: DashboardSite["Service"]
  readonly settings: ApiSettings["Service"]
}

/** TLS connections of this process have certificates of pages' hosts, so nothing else is served over them. */
const misdirected = Effect.succeed(
  HttpServerResponse.text("There is no status page of this name here\n", { status: 421, contentType: "text/plain" })
)

const noMethods = (): ReadonlyArray<string> => []

export const make = <E, R>({ contract, dashboard, pages, settings }: Parts<E, R>) => {
  const outside = BelowPath.outside(settings)
  const polled = { ...usual, isPolled: true }

  /** At our own host, and below the path of the installation. */
  const ofOwn = (request: Request): Answer<E, R | Request> => {
    const path = pathOf(request)
    if (pages.isFile(path)) return pages.file(request)
    return isBelowRoots(path) ? contract : (dashboard.answer(request) ?? contract)
  }

  return (request: Request): Located<E, R | Request> => {
    const asked = servingOf(request.method, pathOf(request))
    const rooted = { request, isForeign: false, methodsOf, serving: asked }
    // 1. Routes on every host: challenges of certificate authorities.
    const page = pages.slugAt(request)
    const isForeign = page !== undefined
    if (asked.reach === "anyHost") return { ...rooted, isForeign, answer: contract }
    // 2. The host of a page.
    const elsewhere = { ...rooted, methodsOf: noMethods }
    if (page !== undefined) return { ...elsewhere, isForeign, serving: polled, answer: pages.answer(request, page) }
    if (CustomDomains.HttpsRedirect.isOverTls(request)) return { ...elsewhere, serving: usual, answer: misdirected }
    // 3. Our host, below the path of the installation or not.
    const inside = BelowPath.inside(request, settings)
    if (inside === undefined)
      return asked.reach === "anyPath"
        ? { ...rooted, answer: contract }
        : { ...elsewhere, serving: usual, answer: outside }
    const path = pathOf(inside)
    const isAsset = pages.isFile(path) || dashboard.isAsset(inside)
    const serving = isAsset ? polled : inside === request ? asked : servingOf(inside.method, path)
    return { ...rooted, request: inside, serving, answer: ofOwn(inside) }
  }
}
