// Prints events of monitors while it is connected.
// NATS_URL=127.0.0.1:4222 NATS_TOKEN=… node listen.mjs
import { connect } from "@nats-io/transport-node"

const connection = await connect({
  servers: process.env.NATS_URL,
  token: process.env.NATS_TOKEN,
  name: "listen",
  maxReconnectAttempts: -1 // without it the client gives up after about 20 seconds
})
process.once("SIGTERM", () => connection.drain())

const subscription = connection.subscribe("kanmon.events.*.monitor.>")
await connection.flush()
console.log("listening")

for await (const message of subscription) {
  const type = message.headers.get("ce-type")
  const { at, failure, name } = message.json()
  console.log([at, type, name, failure?.message].filter(Boolean).join("  "))
}

// The loop ends when the connection is closed: on SIGTERM, or because the server refuses us.
const failure = await connection.closed()
if (failure) throw failure
