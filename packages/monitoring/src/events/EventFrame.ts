/**
 * A public event as a frame of `text/event-stream`, its data a CloudEvent in structured mode on one line.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 * @see https://github.com/cloudevents/spec/blob/main/cloudevents/formats/json-format.md
 */
import * as JsonText from "@kanmon/core/JsonText"
import type { Incoming } from "@kanmon/core/EventBus"
import { Duration } from "effect"
import { encoder, Retry } from "effect/encoding/Sse"

const retry = encoder.write(new Retry({ duration: Duration.seconds(3), lastEventId: undefined }))

/**
 * The first frame: the reconnection time and the current event ID. Without the ID, a client that disconnects before its first
 * event would miss events.
 */
export const opening = (after: number): string => `id: ${after}\n${retry}`

/** A comment that keeps proxies from closing the connection; clients ignore it. */
export const keepAlive = ": keep-alive\n\n"

/** The event's type; empty if the message is not a CloudEvent. */
export const typeOf = ({ headers }: Pick<Incoming, "headers">): string => headers["ce-type"] ?? ""

/** The frame of an event; `undefined` if the message is not a CloudEvent with JSON data. */
export const frame = (message: Incoming): string | undefined => {
  const { headers, sequence } = message
  const id = headers["ce-id"]
  const source = headers["ce-source"]
  const type = typeOf(message)
  const data = JsonText.parse(message.payload)
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
