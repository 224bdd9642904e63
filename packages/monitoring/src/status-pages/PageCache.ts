/**
 * A cache of public pages. Readers of a cached page never wait and cause no query: while a page is read, it is reloaded in the
 * background after an event, and once a minute.
 */
import { PublicPages } from "./PublicPages.ts"
import { Cache, Clock, Context, Data, Duration, Effect, Exit, Layer, Semaphore } from "effect"
import { signal } from "@kanmon/platform/Signal"
import { PageAddresses } from "./PageAddresses.ts"
import { PageChanges } from "./PageChanges.ts"
import { PageViews, ViewRoom } from "./PageViews.ts"

const maxPages = 100
/** Limit for all cached pages together, in characters of JSON; the least recently read are dropped. */
const maxContent = 100 * 1024 * 1024
/** Limit for the renderings of all pages, in bytes. */
const viewRoom = 64 * 1024 * 1024
/** Negative cache: unknown slugs, so that scanning does not hit the database. */
const maxMissing = 10_000
const missingFor = Duration.seconds(30)
/** How long a page without readers is cached. */
const keptFor = Duration.minutes(2)
/** Uptime and daily bars change with time, without events. */
const freshFor = 60_000
/** How often cached pages are checked for changes. */
const lookEvery = "250 millis"
/** The minimum pause between two loads of a page, also as a multiple of the time that a load takes. */
const restMillis = 1_000
const restFactor = 10
/** Concurrent loads: visitors must not starve the API of the database. */
const loadsAtOnce = 2

interface Kept {
  readonly projectId: string
  readonly views: PageViews
  readonly mark: number
  readonly loadedAt: number
  readonly loadMillis: number
  /** When it was last read. */
  readAt: number
}

class NoSuchPage extends Data.TaggedError("NoSuchPage") {}

export class PageCache extends Context.Service<PageCache>()("@kanmon/monitoring/status-pages/PageCache", {
  make: Effect.gen(function* () {
    const pages = yield* PublicPages
    const changes = yield* PageChanges
    const addresses = yield* PageAddresses
    const room = new ViewRoom(viewRoom)
    const slots = yield* Semaphore.make(loadsAtOnce)
    const loaded = yield* signal

    const load = Effect.fn("PageCache.load")(function* (slug: string) {
      const mark = changes.mark()
      const began = yield* Clock.currentTimeMillis
      const published = yield* pages.load(slug).pipe(slots.withPermits(1))
      if (published === undefined) return yield* new NoSuchPage()
      const views = new PageViews({ ...published.page, url: addresses.best(published) }, room, published.embedOrigins)
      const before = yield* Cache.getSuccess(kept, slug)
      if (before._tag === "Some") yield* Effect.promise(() => views.prepare(before.value.views))
      const loadedAt = yield* Clock.currentTimeMillis
      yield* loaded.raise
      return {
        projectId: published.projectId,
        views,
        mark,
        loadedAt,
        loadMillis: loadedAt - began,
        readAt: before._tag === "Some" ? before.value.readAt : loadedAt
      } satisfies Kept as Kept
    })

    const kept: Cache.Cache<string, Kept, NoSuchPage> = yield* Cache.makeWith(load, {
      capacity: maxPages,
      timeToLive: (exit) => (Exit.isSuccess(exit) ? keptFor : Duration.zero)
    })
    const missing = yield* Cache.make({
      capacity: maxMissing,
      lookup: (_slug: string) => Effect.sync(changes.mark),
      timeToLive: missingFor
    })

    /** The page with this slug; undefined when there is none. */
    const get = Effect.fnUntraced(function* (slug: string) {
      const found = yield* Cache.getSuccess(kept, slug)
      if (found._tag === "Some") {
        found.value.readAt = yield* Clock.currentTimeMillis
        return found.value.views
      }
      const missed = yield* Cache.getSuccess(missing, slug)
      if (missed._tag === "Some" && !changes.pagesSince(missed.value)) return undefined
      const mark = changes.mark()
      return yield* Cache.get(kept, slug).pipe(
        Effect.map(({ views }) => views),
        Effect.catchTag("NoSuchPage", () => Effect.as(Cache.set(missing, slug, mark), undefined))
      )
    })

    const renew = Effect.fnUntraced(function* (slug: string, page: Kept) {
      const { loadMillis, loadedAt, mark, projectId, readAt } = page
      const now = yield* Clock.currentTimeMillis
      const changed = changes.since(projectId, mark)
      if (!changed && now - loadedAt < freshFor) return
      // No readers: drop it, so that the next one loads it.
      if (now - readAt >= freshFor) return yield* changed ? Cache.invalidate(kept, slug) : Effect.void
      if (now - loadedAt < Math.max(restMillis, restFactor * loadMillis)) return
      yield* load(slug).pipe(
        Effect.flatMap((loaded) => Cache.set(kept, slug, loaded)),
        Effect.catchTag("NoSuchPage", () => Cache.invalidate(kept, slug)),
        // While the database is down, the cached page stays in use.
        Effect.catchCause((cause) =>
          Effect.andThen(
            Effect.logWarning("Status page could not be reloaded; the cached one stays in use", cause),
            Cache.set(kept, slug, { ...page, loadedAt: now })
          )
        )
      )
    })

    /** Drops pages above the size limit. */
    const fit = Effect.gen(function* () {
      let content = 0
      const entries = Array.from(yield* Cache.entries(kept))
      for (const [slug, { views }] of entries.toSorted(([, one], [, other]) => other.readAt - one.readAt)) {
        content += views.size
        if (content > maxContent) yield* Cache.invalidate(kept, slug)
      }
    })

    let found: ReadonlySet<PageViews> = new Set()
    /** Retires the pages that left the cache since the last look: reloaded, expired or dropped. */
    const retire = (entries: ReadonlyArray<readonly [slug: string, page: Kept]>): void => {
      const before = found
      found = new Set(entries.map(([, { views }]) => views))
      for (const views of before) if (!found.has(views)) views.retire()
    }

    yield* Effect.gen(function* () {
      yield* fit
      const entries = Array.from(yield* Cache.entries(kept))
      retire(entries)
      for (const [slug, page] of entries) yield* renew(slug, page)
      if (entries.length === 0) yield* loaded.wait
      yield* Effect.sleep(lookEvery)
    }).pipe(Effect.forever, Effect.forkScoped)

    return { get }
  })
}) {
  static readonly layer = Layer.effect(PageCache, PageCache.make)
}
