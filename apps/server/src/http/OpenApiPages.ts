/** Schemas of the bodies of status pages for OpenAPI. */
import { pageFields } from "@kanmon/protocol/StatusPageBody"
import { type Json, properties } from "./OpenApiMonitors.ts"

const fields = (defaults: Json): Json => {
  const described = properties(pageFields, defaults)
  const monitors = described["monitors"] as Json
  return {
    ...described,
    monitors: { ...monitors, items: { ...(monitors["items"] as Json), additionalProperties: false } }
  }
}

export const pageRequest: Json = {
  type: "object",
  properties: fields({ key: null, customDomain: null }),
  required: ["name", "slug"],
  additionalProperties: false,
  examples: [{ name: "Acme", slug: "acme", monitorIds: [] }]
}

/** Any change of a page. What is left out stays as it is: nothing has a default. */
export const pageChange: Json = {
  type: "object",
  description: "Any of the fields. Either of `monitorIds` and `monitors` replaces all that were shown",
  properties: fields({}),
  additionalProperties: false,
  examples: [{ customDomain: "status.acme.example" }]
}
