/** Bodies of requests about projects. */
import { OrganizationId } from "@kanmon/domain/Ids"
import { TimeZone } from "@kanmon/domain/TimeZone"
import { Schema } from "effect"
import * as Body from "./Body.ts"

const timezone = Schema.optionalKey(
  TimeZone.annotate({
    description:
      "The IANA time zone, such as Europe/Berlin, in which the messages of the project show times; aliases are accepted. Default UTC"
  })
)

/** Fields of a change; at least one is required. */
export const projectChangeFields = { name: Schema.optionalKey(Body.name), timezone }

export const newProjectFields = {
  name: Body.name,
  timezone,
  organizationId: Schema.optionalKey(
    OrganizationId.annotate({
      description: "The organization. Default: the oldest one in which the account is an owner or admin"
    })
  )
}
