/** Reads files of Uptime Kuma: the converter is a part of `kanmon import`, and runs in a process of its own. */
import type { ImportedFile } from "@kanmon/protocol/ImportBody"
import { Context, Data, type Effect, type Stream } from "effect"

/** `unreadable`: the file is wrong, and the message says what to do. `busy`: too many files are on their way. */
export class NotPlanned extends Data.TaggedError("NotPlanned")<{
  readonly reason: "unreadable" | "too_large" | "busy"
  readonly message: string
}> {}

export class UptimeKumaReader extends Context.Service<
  UptimeKumaReader,
  {
    /** Consumes the file; nothing of it is kept. An account sends one at a time. */
    readonly plan: <E>(
      account: string,
      file: Stream.Stream<Uint8Array, E>
    ) => Effect.Effect<ImportedFile, NotPlanned | E>
  }
>()("@kanmon/monitoring/imports/UptimeKumaReader") {}
