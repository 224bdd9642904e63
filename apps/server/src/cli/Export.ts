/** `kanmon export <file>`: everything of an installation in one file, to move it to other servers. */
import * as path from "node:path"
import { EventBus, type Incoming } from "@kanmon/core/EventBus"
import * as Engine from "@kanmon/engine/Engine"
import { checksStream } from "@kanmon/domain/Subjects"
import { takers } from "@kanmon/engine/judging/Judge"
import type { OutboxEvent } from "@kanmon/store/outbox/Outbox"
import * as Exporting from "@kanmon/store/moving/Exporting"
import { Console, Data, Effect, Layer, Stream } from "effect"
import { Argument, Command } from "effect/cli"
import * as Bus from "../Bus.ts"
import { DataDirectory } from "../DataDirectory.ts"
import * as ExportFile from "../moving/ExportFile.ts"
import { connections } from "../moving/RunningKanmon.ts"
import { version } from "../version.ts"
import { database, sum } from "./Moving.ts"

/** The bus does not answer; what it holds unjudged would be lost. */
class BusSilent extends Data.TaggedError("BusSilent")<{ readonly message: string }> {}

const silent = ({ detail }: { readonly detail: string }) =>
  new BusSilent({
    message: `The event bus does not answer (NATS_URL): ${detail}. It may hold observations not yet judged.`
  })

/** What was observed and not judged, as the outbox of the new installation will send it once more. */
const again = ({ headers, payload, sequence, subject }: Incoming): OutboxEvent => ({
  id: headers["ce-id"] ?? `${checksStream.name}:${sequence}`,
  subject,
  // The bus's own headers are made anew.
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !name.toLowerCase().startsWith("nats-"))),
  payload
})

const unjudged = Stream.unwrap(Effect.map(EventBus, (bus) => bus.backlog({ stream: checksStream.name, takers }))).pipe(
  Stream.map(again),
  Stream.mapError(silent)
)

const bus = Engine.streams.pipe(
  Layer.provideMerge(Bus.layer),
  Layer.catchTag("BusUnavailable", (error) => Layer.effectContext(Effect.fail(silent(error))))
)

export const exportData = Command.make(
  "export",
  { file: Argument.String("file").pipe(Argument.withDescription("Where; it must not exist yet")) },
  ({ file }) =>
    Effect.gen(function* () {
      const { secret } = yield* DataDirectory
      const place = path.resolve(file)
      if ((yield* connections) > 0)
        yield* Console.warn("A Kanmon is at work on this database: what it does from now on will not be in the file.")
      const exported = yield* ExportFile.write(place, (write) => Exporting.run({ version, secret, unjudged, write }))
      yield* Console.log(
        [
          `Exported ${sum(exported)} to ${place}.`,
          "It can be imported where KANMON_SECRET is the same as here: what is encrypted in the database is encrypted in it.",
          "The rest is not, so keep it as you keep the database."
        ].join("\n")
      )
    }).pipe(Effect.provide(bus.pipe(Layer.provideMerge(database))))
).pipe(Command.withDescription("Writes everything of this installation to one file; stop it first"))
