/** The product as strangers meet it: real, in a process of its own, with somebody who publishes status pages. */
import { assert } from "@effect/vitest"
import type { PublicPage } from "@kanmon/domain/PublicPage"
import * as Database from "@kanmon/platform/database/Database"
import { Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Browser } from "../support/Browser.ts"
import * as Past from "../support/Past.ts"
import * as Product from "../support/Product.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import { unhurried } from "./Installation.ts"

/** Chromium takes every name below localhost for this machine. */
const pagesDomain = "pages.localhost"

/** A monitor that stands as it is told to: a job whose signals the test sends. */
export interface Watched {
  readonly id: string
  readonly name: string
  readonly signal: (status: "up" | "degraded" | "down") => Promise<void>
}

export interface Entry {
  readonly monitor: Watched
  readonly group?: string
}

export interface Published {
  readonly id: string
  readonly slug: string
  /** Below the product's own address. */
  readonly url: string
  /** On a host of its own, below the pages' domain. */
  readonly ownUrl: string
  /** Waits until the public can see what is wished for. */
  readonly until: (good: (page: PublicPage) => boolean) => Promise<void>
}

export class Site extends Context.Service<
  Site,
  {
    /** Calls the API with the project's key; fails unless it answers 2xx. */
    readonly call: (method: string, route: string, body?: unknown) => Promise<any>
    /** Adds monitors, `count` at a time. */
    readonly monitors: (names: ReadonlyArray<string>) => Promise<ReadonlyArray<Watched>>
    /** Gives monitors the past that is made for each. */
    readonly remember: (
      monitors: ReadonlyArray<Watched>,
      past: (id: string, index: number, now: number) => Past.Past
    ) => Promise<void>
    readonly publish: (name: string, entries: ReadonlyArray<Entry>) => Promise<Published>
  }
>()("@kanmon/tests/browser/Site") {
  static readonly layer = Layer.effect(
    Site,
    Effect.gen(function* () {
      const databaseUrl = yield* TestDatabase.create
      const product = yield* Product.make({
        withoutNats: true,
        env: {
          DATABASE_URL: Redacted.value(databaseUrl),
          KANMON_PAGES_DOMAIN: pagesDomain,
          ...unhurried
        }
      })
      const [, database] = yield* Effect.all([product.healthy, Layer.build(Database.layer(databaseUrl))], {
        concurrency: "unbounded"
      })
      const ada = yield* product.signUp
      const origin = new URL(product.base).origin
      let slugs = 0

      const call = async (method: string, route: string, body?: unknown): Promise<any> => {
        const answer = await Effect.runPromise(ada.call(method, route, body))
        assert.isBelow(answer.status, 300, `${method} ${route}: ${JSON.stringify(answer.body)}`)
        return answer.body
      }

      const monitor = async (name: string): Promise<Watched> => {
        const { heartbeatUrl, id } = await call("POST", "/monitors", {
          name,
          type: "heartbeat",
          interval: 86_400,
          metricRules: [{ metric: "rows", op: ">", value: 0 }]
        })
        const suffix = { up: "", degraded: "?m.rows=0", down: "/fail" }
        return { id, name, signal: (status) => call("GET", `${heartbeatUrl}${suffix[status]}`) }
      }

      return Site.of({
        call,
        monitors: (names) =>
          Effect.runPromise(Effect.forEach(names, (name) => Effect.promise(() => monitor(name)), { concurrency: 16 })),
        remember: (monitors, past) => {
          const now = Date.now()
          const pasts = monitors.map(({ id }, index) => past(id, index, now))
          return Effect.runPromise(Effect.provide(Past.write(pasts, now), database))
        },
        publish: async (name, entries) => {
          const slug = `page-${++slugs}`
          const { id } = await call("POST", "/status-pages", {
            name,
            slug,
            monitors: entries.map(({ group = null, monitor }) => ({ monitorId: monitor.id, displayGroup: group }))
          })
          const record = Effect.map(
            product.call("GET", `/public/status-pages/${slug}`),
            ({ body }) => body as PublicPage
          )
          return {
            id,
            slug,
            url: `${origin}/status/${slug}`,
            ownUrl: `http://${slug}.${pagesDomain}:${new URL(origin).port}/`,
            until: async (good) => void (await Effect.runPromise(Product.eventually(record, good)))
          }
        }
      })
    })
  ).pipe(Layer.provide(SecureRandom.layerWebCrypto), Layer.merge(Browser.layer), Layer.orDie)
}
