/** An HTTP server whose bodies are expensive to evaluate with rules. Prints its port. */
import { createServer } from "node:http"

/** Two values that differ only at the end, and a list that requires comparing them: 870 kB. */
const like = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key${index}`, index]))
const alike = Buffer.from(JSON.stringify({ x: like, y: like, l: Array.from({ length: 40_000 }, () => 0) }))
/** A mebibyte of two letters without a match. */
const letters = Buffer.from("ab".repeat(524_288).replaceAll("abababab", "abbaabab"))

const server = createServer((request, response) =>
  response.end(request.url?.startsWith("/alike") === true ? alike : letters)
)
server.listen({ port: 0, host: "127.0.0.1", backlog: 4096 }, () => {
  const address = server.address()
  process.stdout.write(
    `${JSON.stringify({ port: typeof address === "object" && address !== null ? address.port : 0 })}\n`
  )
})
process.on("disconnect", () => process.exit(0))
