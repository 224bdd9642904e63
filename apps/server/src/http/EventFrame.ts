/**
 * A public event as a frame of `text/event-stream`, its data a CloudEvent in structured mode on one line.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 * @see https://github.com/cloudevents/spec/blob/main/cloudevents/formats/json-format.md
 */
import type { Incoming } from "@kanmon/core/EventBus"
import { Duration } from "effect"
import { encoder, Retry } from "effect/encoding/Sse"

const retry = encoder.write(new Retry({ duration: Duration.seconds(3), lastEventId: undefined }))

/**
 * Begins a stream: how long its reader waits before it comes again, and the id that it then goes on after. Without that id a
 * reader that loses its connection before its first event would miss what happens until it is back.
 */
export const opening = (after: number): string => `id: ${after}\n${retry}`

/** A comment: readers pass over it, and proxies see that the connection lives. */
export const keepAlive = ": keep-alive\n\n"

/** The event's type; empty when the message is none. */
export const typeOf = ({ headers }: Pick<Incoming, "headers">): string => headers["ce-type"] ?? ""

/** The frame of an event; `undefined` for a message that is no CloudEvent with JSON data, which is nobody's to read here. */
export const frame = (message: Incoming): string | undefined => {
  const { headers, sequence } = message
  const id = headers["ce-id"]
  const source = headers["ce-source"]
  const type = typeOf(message)
  const data = parse(message.payload)
  if (!id || !source || !/^[\w.-]+$/.test(type) || data === undefined) return undefined
  const event = {
    specversion: "1.0",
    id,
    source,
    type,
    subject: headers["ce-subject"],
    time: headers["ce-time"],
    datacontenttype: "application/json",
    data
  }
  return encoder.write({ _tag: "Event", id: String(sequence), event: type, data: JSON.stringify(event) })
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
