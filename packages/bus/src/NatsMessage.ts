/** Converts messages of NATS to those of the port. */
import type { Incoming } from "@kanmon/core/EventBus"
import type { JsMsg } from "@nats-io/jetstream"
import { headers, type MsgHdrs } from "@nats-io/nats-core"

export const toHeaders = (record: Readonly<Record<string, string>>): MsgHdrs => {
  const made = headers()
  for (const key in record) made.set(key, record[key]!)
  return made
}

/** A message that was delivered `failures` times before. Payload and headers are decoded lazily. */
export const incoming = (message: JsMsg, failures = 0): Incoming => {
  let payload: string | undefined
  return {
    subject: message.subject,
    get payload() {
      return (payload ??= message.string())
    },
    get headers() {
      const record: Record<string, string> = {}
      for (const [key, [value]] of message.headers ?? []) record[key] = value!
      return record
    },
    sequence: message.seq,
    deliveries: message.info.deliveryCount + failures
  }
}
