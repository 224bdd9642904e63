/** Reads server-sent events on its own connection, only as many as requested, so that it can simulate a slow reader. */
import { get, type IncomingHttpHeaders, type IncomingMessage } from "node:http"
import { Effect, type Scope } from "effect"

export interface Heard {
  readonly id: number
  readonly type: string
  /** The CloudEvent. */
  readonly event: any
}

export interface EventReader {
  readonly headers: IncomingHttpHeaders
  /** Where to resume after a lost connection. */
  readonly lastEventId: () => string
  /** Reads this many events. */
  readonly take: (count: number) => Effect.Effect<ReadonlyArray<Heard>>
  /** Reads until the next comment. */
  readonly signOfLife: Effect.Effect<void>
  /** Reads to the end: the remaining events, and whether the server ended the stream or cut it off. */
  readonly rest: Effect.Effect<{ readonly events: ReadonlyArray<Heard>; readonly end: "ended" | "cut off" }>
  readonly hangUp: Effect.Effect<void>
}

/** Without an agent the connection is neither shared nor replaced. */
const request = (url: string, headers: Readonly<Record<string, string>>): Effect.Effect<IncomingMessage> =>
  Effect.callback((resume) => {
    const asking = get(url, { headers, agent: false }, (response) => resume(Effect.succeed(response)))
    asking.on("error", (error) => resume(Effect.die(error)))
  })

type Fields = Readonly<Record<string, string>>

/** Requests events; a refusal returns only the status. Closes the connection with the scope. */
export const ask = (
  url: string,
  headers: Readonly<Record<string, string>>
): Effect.Effect<EventReader | number, never, Scope.Scope> =>
  Effect.gen(function* () {
    const response = yield* Effect.acquireRelease(request(url, headers), (made) => Effect.sync(() => made.destroy()))
    const { statusCode: status = 0 } = response
    if (status !== 200) {
      response.destroy()
      return status
    }
    const blocks = blocksOf(response)
    let lastEventId = ""

    const next = async (): Promise<Fields | undefined> => {
      const { done, value } = await blocks.next()
      if (done === true) return undefined
      lastEventId = value["id"] ?? lastEventId
      return value
    }
    /** The next block with the field. */
    const nextWith = async (field: string): Promise<Fields> => {
      for (let block = await next(); block !== undefined; block = await next()) if (field in block) return block
      throw new Error(`The stream was ended, where ${field === "" ? "a comment" : field} was expected`)
    }

    // The first block marks the start of the stream.
    yield* Effect.promise(() => nextWith("retry"))
    return {
      headers: response.headers,
      lastEventId: () => lastEventId,
      take: (count) =>
        Effect.promise(async () => {
          const events: Array<Heard> = []
          while (events.length < count) events.push(heard(await nextWith("data")))
          return events
        }),
      signOfLife: Effect.asVoid(Effect.promise(() => nextWith(""))),
      rest: Effect.promise(async () => {
        const events: Array<Heard> = []
        try {
          for (let block = await next(); block !== undefined; block = await next())
            if ("data" in block) events.push(heard(block))
          return { events, end: "ended" as const }
        } catch {
          return { events, end: "cut off" as const }
        }
      }),
      hangUp: Effect.sync(() => void response.destroy())
    }
  })

/** Requests events and expects success. */
export const open = (
  url: string,
  headers: Readonly<Record<string, string>>
): Effect.Effect<EventReader, never, Scope.Scope> =>
  Effect.map(ask(url, headers), (answer) => {
    if (typeof answer === "number") throw new Error(`The events were refused: ${answer}`)
    return answer
  })

const heard = (fields: Fields): Heard => ({
  id: Number(fields["id"]),
  type: fields["event"]!,
  event: JSON.parse(fields["data"]!)
})

/** Splits the stream at empty lines; a comment is a field without a name. */
async function* blocksOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Fields, void> {
  const decoder = new TextDecoder()
  let text = ""
  for await (const chunk of body) {
    const blocks = (text + decoder.decode(chunk, { stream: true })).split("\n\n")
    text = blocks.pop()!
    for (const block of blocks) yield fieldsOf(block)
  }
}

const fieldsOf = (block: string): Fields =>
  Object.fromEntries(
    block.split("\n").map((line) => {
      const colon = line.indexOf(":")
      return [line.slice(0, colon), line.slice(colon + 2)]
    })
  )
