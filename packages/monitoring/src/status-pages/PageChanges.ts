/**
 * Tracks which projects' public pages have changed, from the events on the bus. Marks are increasing numbers: data that was
 * read before a mark is older than the changes after it.
 */
import { EventBus } from "@kanmon/core/EventBus"
import { eventsStream } from "@kanmon/domain/Subjects"
import { Context, Effect, Layer, Schedule, Stream } from "effect"
import { signal } from "@kanmon/platform/Signal"

/** Nouns of the events that can change a page. */
const shown = new Set(["monitor", "incident", "page"])
/** With more projects, everything counts as changed, which costs only time. */
const maxProjects = 50_000

export class PageChanges extends Context.Service<PageChanges>()("@kanmon/monitoring/status-pages/PageChanges", {
  make: Effect.gen(function* () {
    const bus = yield* EventBus
    const pagesChanged = yield* signal
    const projects = new Map<string, number>()
    let mark = 0
    let pages = 0
    /** Everything read before this mark counts as changed. */
    let floor = 0

    const everything = () => {
      floor = ++mark
      pages = mark
      projects.clear()
    }
    const note = (subject: string) => {
      const [, , projectId, noun] = subject.split(".")
      if (projectId === undefined || !shown.has(noun ?? "")) return Effect.void
      if (projects.size >= maxProjects) everything()
      projects.set(projectId, ++mark)
      if (noun === "page") pages = mark
      return noun === "page" ? pagesChanged.raise : Effect.void
    }

    const listen = Effect.gen(function* () {
      const from = (yield* bus.position(eventsStream.name)) + 1
      // Events since the last subscription were missed.
      everything()
      yield* pagesChanged.raise
      yield* Stream.runForEach(
        bus.replay({ stream: eventsStream.name, filter: ["kanmon.events.>"], from }),
        ({ subject }) => Effect.suspend(() => note(subject))
      )
    })
    yield* listen.pipe(Effect.ignoreCause, Effect.repeat(Schedule.spaced("1 second")), Effect.forkScoped)

    return {
      /** The current mark. */
      mark: () => mark,
      /** Whether pages of the project have changed after a mark. */
      since: (projectId: string, before: number) => (projects.get(projectId) ?? floor) > before,
      /** Whether any page was created, changed or deleted after a mark. */
      pagesSince: (before: number) => pages > before,
      /** Succeeds when a page was created, changed or deleted since the last call. For one caller. */
      pagesChanged: pagesChanged.wait
    }
  })
}) {
  static readonly layer = Layer.effect(PageChanges, PageChanges.make)
}
