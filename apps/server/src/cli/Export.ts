/** `kanmon export <file>`: everything of an installation in one file, to move it to other servers. */
import { Engine } from "@kanmon/monitoring"
import * as path from "node:path"
import { EventBus, type Incoming } from "@kanmon/core/EventBus"
import { checksStream } from "@kanmon/domain/Subjects"
import { consumers } from "@kanmon/monitoring/evaluation"
import type { PublicEvent } from "@kanmon/domain/PublicEvent"
import { ExportFile, Exporting, connections } from "@kanmon/monitoring/backup"
import { Console, Data, Effect, Layer, Stream } from "effect"
import { Argument, Command } from "effect/cli"
import * as Bus from "../Bus.ts"
import { DataDirectory } from "../DataDirectory.ts"
import { version } from "@kanmon/platform/version"
import { database, sum } from "./Moving.ts"

/** The bus does not answer; its unevaluated observations would be lost. */
class BusSilent extends Data.TaggedError("BusSilent")<{ readonly message: string }> {}

const silent = ({ detail }: { readonly detail: string }) =>
  new BusSilent({
    message: `The event bus does not answer (NATS_URL): ${detail}. It may hold observations that are not evaluated yet.`
  })

/** An unevaluated observation as the outbox of the new installation will publish it. */
const again = ({ headers, payload, sequence, subject }: Incoming): PublicEvent => ({
  id: headers["ce-id"] ?? `${checksStream.name}:${sequence}`,
  subject,
  // The bus adds its own headers again.
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !name.toLowerCase().startsWith("nats-"))),
  payload
})

const unevaluated = Stream.unwrap(
  Effect.map(EventBus, (bus) => bus.backlog({ stream: checksStream.name, consumers }))
).pipe(Stream.map(again), Stream.mapError(silent))

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
        yield* Console.warn("A Kanmon server uses this database: its changes from now on will not be in the file.")
      const exported = yield* ExportFile.write(place, (write) => Exporting.run({ version, secret, unevaluated, write }))
      yield* Console.log(
        [
          `Exported ${sum(exported)} to ${place}.`,
          "Import it with the same KANMON_SECRET: secrets in it stay encrypted as in the database.",
          "The rest is not, so keep it as you keep the database."
        ].join("\n")
      )
    }).pipe(Effect.provide(bus.pipe(Layer.provideMerge(database))))
).pipe(Command.withDescription("Writes everything of this installation to one file; stop it first"))
