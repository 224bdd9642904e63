/** An HTTP server that responds immediately. Prints its port. */
import { createServer } from "node:http"

const body = "all is well\n"
const server = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "text/plain", "content-length": body.length })
  response.end(body)
})
server.keepAliveTimeout = 1000
server.listen({ port: 0, host: "127.0.0.1", backlog: 4096 }, () => {
  const address = server.address()
  process.stdout.write(
    `${JSON.stringify({ port: typeof address === "object" && address !== null ? address.port : 0 })}\n`
  )
})
process.on("disconnect", () => process.exit(0))
