/** Requests a streamed test and reads its events one by one, as they arrive. */
import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http"
import { basePath } from "@kanmon/protocol/BasePath"
import { Effect } from "effect"
import { port } from "./Server.ts"

interface TrialReader {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The next event; undefined at the end of the stream. Comments are left out. */
  readonly next: Effect.Effect<{ readonly event: string; readonly data: any } | undefined>
  readonly hangUp: Effect.Effect<void>
}

/** Sends the draft; the connection closes with the scope. */
export const streamed = Effect.fnUntraced(function* (caller: { readonly key: string }, draft: object) {
  const at = yield* port
  const response = yield* Effect.acquireRelease(
    Effect.callback<IncomingMessage>((resume) => {
      const headers = { "x-api-key": caller.key, "content-type": "application/json", accept: "text/event-stream" }
      const asking = request(
        `http://127.0.0.1:${at}${basePath}/monitors/test`,
        { method: "POST", headers, agent: false },
        (answer) => resume(Effect.succeed(answer))
      )
      asking.on("error", (error) => resume(Effect.die(error))).end(JSON.stringify(draft))
    }),
    (answer) => Effect.sync(() => answer.destroy())
  )
  const blocks = blocksOf(response)
  const reader: TrialReader = {
    status: response.statusCode ?? 0,
    headers: response.headers,
    next: Effect.promise(async () => {
      const { done, value } = await blocks.next()
      return done === true ? undefined : value
    }),
    hangUp: Effect.sync(() => void response.destroy())
  }
  return reader
})

async function* blocksOf(body: AsyncIterable<Uint8Array>) {
  const decoder = new TextDecoder()
  let text = ""
  for await (const chunk of body) {
    const blocks = (text + decoder.decode(chunk, { stream: true })).split("\n\n")
    text = blocks.pop()!
    for (const block of blocks) {
      const found = /^event: (\w+)\ndata: (.*)$/.exec(block)
      if (found !== null) yield { event: found[1]!, data: JSON.parse(found[2]!) }
    }
  }
}
