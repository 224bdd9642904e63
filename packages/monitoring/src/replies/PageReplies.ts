/** Pages that people answer from their devices, as delivery prepares them and as answers find them. */
import { codeFrom } from "@kanmon/domain/PageReply"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Secrets } from "@kanmon/platform/database/Secrets"
import { timingSafeEqual } from "node:crypto"
import { Context, Effect, Layer } from "effect"
import { MessageReplies } from "../delivery/index.ts"
import { ReplyRepository } from "./ReplyRepository.ts"

export class PageReplies extends Context.Service<PageReplies>()("@kanmon/monitoring/replies/PageReplies", {
  make: Effect.gen(function* () {
    const repository = yield* ReplyRepository
    const { digest } = yield* Secrets

    /** The code of a message to a destination. Without the installation's secret it cannot be told from a random one. */
    const codeOf = (id: string, destination: string | null): string =>
      codeFrom(Buffer.from(digest(`reply code ${id} ${destination}`), "base64url"))

    return {
      prepare: Effect.fn("PageReplies.prepare")(function* (
        page: Parameters<typeof repository.prepare>[0],
        at: EpochMillis
      ) {
        yield* repository.prepare(page, at)
        return codeOf(page.id, page.method.destination)
      }),
      taken: repository.taken,
      /** The message that a code names, of those to a destination. Takes the same time for every code. */
      named: Effect.fn("PageReplies.named")(function* (destination: string, code: string, at: EpochMillis) {
        const given = Buffer.from(code)
        return (yield* repository.ofDestination(destination, at)).reduce<string | undefined>((found, page) => {
          const own = Buffer.from(codeOf(page.id, destination))
          return own.length === given.length && timingSafeEqual(own, given) ? page.id : found
        }, undefined)
      })
    }
  })
}) {
  static readonly layer = Layer.effect(PageReplies, PageReplies.make)
}

/** The port of delivery. */
export const layerPort = Layer.effect(
  MessageReplies,
  Effect.map(PageReplies, ({ prepare, taken }) => ({ prepare, taken }))
)
