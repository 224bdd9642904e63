/** Messages as NATS has them, and as the port has them. */
import type { Incoming } from "@kanmon/core/EventBus"
import type { JsMsg } from "@nats-io/jetstream"
import { headers, type MsgHdrs } from "@nats-io/nats-core"

export const toHeaders = (record: Readonly<Record<string, string>>): MsgHdrs => {
  const made = headers()
  for (const key in record) made.set(key, record[key]!)
  return made
}

/** A message as the port has it, handed out `failures` times before. Payload and headers are only unpacked when somebody looks. */
export const incoming = (message: JsMsg, failures = 0): Incoming => ({
  subject: message.subject,
  get payload() {
    return message.string()
  },
  get headers() {
    return Object.fromEntries((message.headers?.keys() ?? []).map((key) => [key, message.headers!.get(key)]))
  },
  sequence: message.seq,
  deliveries: message.info.deliveryCount + failures
})
