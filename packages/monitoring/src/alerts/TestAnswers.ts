/** The port by which links in the messages of page tests are answered, on the same page as those of alerts. */
import type { PageTestId } from "@kanmon/domain/Ids"
import type { PageTestState } from "@kanmon/domain/PageTest"
import { Context, type Effect } from "effect"

/** The kind of subject that page tests are. */
export const pageTestKind = "pageTest"

export class TestAnswers extends Context.Service<
  TestAnswers,
  {
    /** How the test stands; undefined: there is none. */
    readonly find: (id: string) => Effect.Effect<PageTestState | undefined>
    /** Acknowledges it, if it still runs, with the link of this page; `name` is the person's. Returns whether it did. */
    readonly acknowledge: (
      id: PageTestId,
      by: { readonly pageId: string; readonly name: string }
    ) => Effect.Effect<boolean>
  }
>()("@kanmon/monitoring/alerts/TestAnswers") {}
