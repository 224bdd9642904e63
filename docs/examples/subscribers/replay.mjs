// Prints every outage of the last 30 days and every new one, and resumes where it stopped.
// NATS_URL=127.0.0.1:4222 NATS_TOKEN=… node replay.mjs
import { AckPolicy, DeliverPolicy, jetstream, jetstreamManager } from "@nats-io/jetstream"
import { connect, nanos } from "@nats-io/transport-node"

const connection = await connect({
  servers: process.env.NATS_URL,
  token: process.env.NATS_TOKEN,
  name: "replay",
  maxReconnectAttempts: -1 // without it the client gives up after about 20 seconds
})

// The server stores our position under this name. Creating the consumer again changes nothing.
const manager = await jetstreamManager(connection)
await manager.consumers.add("KANMON_EVENTS", {
  durable_name: "outages",
  filter_subject: "kanmon.events.*.monitor.*.down",
  deliver_policy: DeliverPolicy.All,
  ack_policy: AckPolicy.Explicit,
  ack_wait: nanos(30_000)
})

const consumer = await jetstream(connection).consumers.get("KANMON_EVENTS", "outages")
const messages = await consumer.consume({ max_messages: 100 })
let stopping = false
process.once("SIGTERM", async () => {
  stopping = true
  await messages.close()
  await connection.drain()
})

for await (const message of messages) {
  const { at, failure, name } = message.json()
  // After a crash the same outage may arrive again, with the same id: deduplicate here.
  console.log([at, message.headers.get("ce-id"), name, failure?.message].filter(Boolean).join("  "))
  // Unacknowledged messages are delivered again after `ack_wait`, to us or to another process of this consumer.
  await message.ackAck().catch(() => {})
}

// The loop ends if the consumer is deleted or the server refuses us: fail, so that a supervisor restarts us.
if (!stopping) throw (await connection.closed()) ?? new Error("The consumer is gone")
