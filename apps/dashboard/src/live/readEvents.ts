/** Reads a stream of server-sent events. https://html.spec.whatwg.org/multipage/server-sent-events.html */

export interface StreamEvent {
  readonly id: string
  readonly type: string
  readonly data: string
}

/** Calls `onEvent` for each event, and `onId` for each id, until the stream ends. Every chunk, also a comment, calls `onData`. */
export const readEvents = async (
  body: ReadableStream<Uint8Array>,
  handlers: {
    readonly onEvent: (event: StreamEvent) => void
    readonly onId: (id: string) => void
    readonly onData: () => void
  }
): Promise<void> => {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ""
  let id = ""
  let type = ""
  let data: Array<string> = []
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    handlers.onData()
    const lines = (rest + decoder.decode(value, { stream: true })).split("\n")
    rest = lines.pop() ?? ""
    for (const raw of lines) {
      const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw
      if (line === "") {
        if (data.length > 0) handlers.onEvent({ id, type, data: data.join("\n") })
        type = ""
        data = []
        continue
      }
      const colon = line.indexOf(":")
      const field = colon < 0 ? line : line.slice(0, colon)
      const content = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "")
      if (field === "id") handlers.onId((id = content))
      else if (field === "event") type = content
      else if (field === "data") data.push(content)
    }
  }
}
