/**
 * What the bus says has changed on public pages since when. Instants are numbers that only grow: what was read before a
 * change is known to be older than it, whichever of the two arrives first.
 */
import { EventBus } from "@kanmon/core/EventBus"
import { eventsStream } from "@kanmon/domain/Subjects"
import { Context, Effect, Layer, Schedule, Stream } from "effect"

/** Nouns of the events that a page shows something of. */
const shown = new Set(["monitor", "incident", "page"])
/** Projects that are kept apart. With more of them everything counts as changed, which is only slower. */
const mostProjects = 50_000

export class PageChanges extends Context.Service<
  PageChanges,
  {
    /** The mark of now: whatever is told after it comes later. */
    readonly mark: () => number
    /** Whether anything that pages of the project show was told of after a mark. */
    readonly since: (projectId: string, mark: number) => boolean
    /** Whether any page was made, changed or removed after a mark. */
    readonly pagesSince: (mark: number) => boolean
  }
>()("@kanmon/server/PageChanges") {
  static readonly layer = Layer.effect(
    PageChanges,
    Effect.gen(function* () {
      const bus = yield* EventBus
      const projects = new Map<string, number>()
      let mark = 0
      let pages = 0
      /** Before this everything counts as changed. */
      let floor = 0

      const everything = () => {
        floor = ++mark
        pages = mark
        projects.clear()
      }
      const note = (subject: string) => {
        const [, , projectId, noun] = subject.split(".")
        if (projectId === undefined || !shown.has(noun ?? "")) return
        if (projects.size >= mostProjects) everything()
        projects.set(projectId, ++mark)
        if (noun === "page") pages = mark
      }

      const listen = Effect.gen(function* () {
        const from = (yield* bus.position(eventsStream.name)) + 1
        // What happened while nobody listened is not told again.
        everything()
        yield* Stream.runForEach(
          bus.replay({ stream: eventsStream.name, filter: ["kanmon.events.>"], from }),
          ({ subject }) => Effect.sync(() => note(subject))
        )
      })
      yield* listen.pipe(Effect.ignoreCause, Effect.repeat(Schedule.spaced("1 second")), Effect.forkScoped)

      return PageChanges.of({
        mark: () => mark,
        since: (projectId, before) => (projects.get(projectId) ?? floor) > before,
        pagesSince: (before) => pages > before
      })
    })
  )
}
