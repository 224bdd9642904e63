/**
 * The AsyncAPI 3.0 document of the events over NATS and HTTP, generated from the event catalogue. Object schemas allow
 * additional fields, since fields may be added; see docs/decisions/0009.
 * @see https://www.asyncapi.com/docs/reference/specification/v3.0.0
 */
import { basePath } from "@kanmon/protocol/BasePath"
import { httpChannels, httpMessages, httpOperations, httpSchemas } from "./AsyncApiHttp.ts"
import { natsChannels, natsMessages, natsOperations, natsSchemas, ref } from "./AsyncApiNats.ts"
import type { Json } from "@kanmon/protocol/JsonSchema"

/** The document for an installation at this address. */
export const make = (baseUrl: string, version: string): Json => ({
  asyncapi: "3.0.0",
  id: "urn:kanmon:events",
  info: {
    title: "Kanmon events",
    version,
    description: [
      "Everything Kanmon sees and decides, as CloudEvents 1.0: over NATS for the operator, with attributes as `ce-*` headers and the data as the body (binary mode); over HTTP for a project, as server-sent events.",
      "Delivery is at least once: repeats of an event have the same `ce-id`.",
      "Fields may be added to any object, and types of events to any channel: ignore what you do not know."
    ].join("\n\n"),
    license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    tags: [{ name: "NATS" }, { name: "HTTP" }]
  },
  defaultContentType: "application/json",
  servers: servers(baseUrl),
  channels: { ...natsChannels(), ...httpChannels },
  operations: { ...natsOperations(), ...httpOperations },
  components: {
    messages: { ...natsMessages(), ...httpMessages },
    schemas: { ...natsSchemas(), ...httpSchemas },
    securitySchemes: {
      natsToken: {
        type: "apiKey",
        in: "password",
        description: "The token of the embedded server, in `nats/token` of the data directory; or what yours asks for"
      },
      apiKey: { type: "httpApiKey", name: "x-api-key", in: "header", description: "A project's key" }
    }
  }
})

const servers = (baseUrl: string): Json => {
  const { host, pathname, protocol } = new URL(baseUrl === "" ? "http://localhost" : baseUrl)
  return {
    nats: {
      host: "{address}",
      protocol: "nats",
      description: "The server of `NATS_URL`, or the embedded one, which says at start-up on which port it listens",
      variables: { address: { description: "Host and port", default: "127.0.0.1:4222" } },
      security: [ref("components", "securitySchemes", "natsToken")],
      tags: [{ name: "NATS" }]
    },
    api: {
      host,
      pathname: `${pathname.replace(/\/$/, "")}${basePath}`,
      protocol: protocol.replace(":", ""),
      description: "The API",
      security: [ref("components", "securitySchemes", "apiKey")],
      tags: [{ name: "HTTP" }]
    }
  }
}
