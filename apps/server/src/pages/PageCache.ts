/**
 * Public pages in memory. Readers never wait for a page that is known, and cost the database nothing: one that is being read
 * is loaded again in the background when the bus says that it changed, and once a minute because time goes by.
 */
import { PublicPages } from "@kanmon/store/pages/PublicPages"
import { Cache, Clock, Context, Data, Duration, Effect, Exit, Layer, Semaphore } from "effect"
import { PageAddresses } from "./PageAddresses.ts"
import { PageChanges } from "./PageChanges.ts"
import { PageViews, ViewRoom } from "./PageViews.ts"

const mostPages = 100
/** Limit for all cached pages together, in characters of JSON; the least recently read are dropped. */
const mostContent = 100 * 1024 * 1024
/** Bytes for what they are shown as. */
const viewRoom = 64 * 1024 * 1024
/** Names that no page has: remembered, so that guessing them is cheap for us. */
const mostMissing = 10_000
const missingFor = Duration.seconds(30)
/** How long a page is kept that nobody reads. */
const keptFor = Duration.minutes(2)
/** Uptime and daily bars move on by themselves. */
const freshFor = 60_000
/** Pages are looked through for changes this often. */
const lookEvery = "250 millis"
/** At least this long between two loads of a page, and this many times as long as a load takes. */
const restMillis = 1_000
const restFactor = 10
/** Loads at once: strangers must not take the database from the API. */
const loadsAtOnce = 2

interface Kept {
  readonly projectId: string
  readonly views: PageViews
  readonly mark: number
  readonly loadedAt: number
  readonly loadMillis: number
  /** When it was last asked for. */
  readAt: number
}

class NoSuchPage extends Data.TaggedError("NoSuchPage") {}

export class PageCache extends Context.Service<
  PageCache,
  {
    /** The page under a slug; nothing when there is none. */
    readonly get: (slug: string) => Effect.Effect<PageViews | undefined>
  }
>()("@kanmon/server/PageCache") {
  static readonly layer = Layer.effect(
    PageCache,
    Effect.gen(function* () {
      const pages = yield* PublicPages
      const changes = yield* PageChanges
      const addresses = yield* PageAddresses
      const room = new ViewRoom(viewRoom)
      const slots = yield* Semaphore.make(loadsAtOnce)

      const load = Effect.fn("PageCache.load")(function* (slug: string) {
        const mark = changes.mark()
        const began = yield* Clock.currentTimeMillis
        const published = yield* pages.load(slug).pipe(slots.withPermits(1))
        if (published === undefined) return yield* new NoSuchPage()
        const views = new PageViews({ ...published.page, url: addresses.best(published) }, room)
        const before = yield* Cache.getSuccess(kept, slug)
        if (before._tag === "Some") yield* Effect.promise(() => views.prepare(before.value.views))
        const loadedAt = yield* Clock.currentTimeMillis
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
        capacity: mostPages,
        timeToLive: (exit) => (Exit.isSuccess(exit) ? keptFor : Duration.zero)
      })
      const missing = yield* Cache.make({
        capacity: mostMissing,
        lookup: (_slug: string) => Effect.sync(changes.mark),
        timeToLive: missingFor
      })

      const get: PageCache["Service"]["get"] = Effect.fnUntraced(function* (slug) {
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
        // Nobody looks: the next reader finds it gone, and has it loaded.
        if (now - readAt >= freshFor) return yield* changed ? Cache.invalidate(kept, slug) : Effect.void
        if (now - loadedAt < Math.max(restMillis, restFactor * loadMillis)) return
        yield* load(slug).pipe(
          Effect.flatMap((loaded) => Cache.set(kept, slug, loaded)),
          Effect.catchTag("NoSuchPage", () => Cache.invalidate(kept, slug)),
          // The database is away: what is known goes on being shown, for as long as somebody looks.
          Effect.catchCause((cause) =>
            Effect.andThen(
              Effect.logWarning("A status page could not be brought up to date", cause),
              Cache.set(kept, slug, { ...page, loadedAt: now })
            )
          )
        )
      })

      /** Drops the pages that there is no room for. */
      const fit = Effect.gen(function* () {
        let content = 0
        const entries = Array.from(yield* Cache.entries(kept))
        for (const [slug, { views }] of entries.toSorted(([, one], [, other]) => other.readAt - one.readAt)) {
          content += views.size
          if (content > mostContent) yield* Cache.invalidate(kept, slug)
        }
      })

      yield* Effect.gen(function* () {
        yield* fit
        for (const [slug, page] of Array.from(yield* Cache.entries(kept))) yield* renew(slug, page)
      }).pipe(Effect.andThen(Effect.sleep(lookEvery)), Effect.forever, Effect.forkScoped)

      return PageCache.of({ get })
    })
  )
}
