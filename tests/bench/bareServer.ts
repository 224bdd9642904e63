/** The baseline for pages: a bare Node server with one response in memory. `bareServer.ts <bytes>`; prints its port. */
import { randomBytes } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

const body = randomBytes(Number(process.argv[2]))
const headers = {
  "content-type": "text/html; charset=utf-8",
  "content-encoding": "gzip",
  "content-length": body.length
}
const server = createServer((_request, response) => void response.writeHead(200, headers).end(body))
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`)
})
