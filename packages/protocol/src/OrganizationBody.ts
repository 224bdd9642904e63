/** Bodies of requests about organizations, their members, teams and invitations. */
import { EmailAddress } from "@kanmon/domain/EmailAddress"
import * as Body from "./Body.ts"
import { Role } from "@kanmon/domain/Role"
import { Schema } from "effect"

export const OrganizationRequest = Schema.Struct({ name: Body.name })

export const TeamRequest = Schema.Struct({ name: Body.name })

export const MemberRequest = Schema.Struct({ role: Role })

export const InvitationRequest = Schema.Struct({
  email: EmailAddress.annotate({
    description: "Where the invitation is sent. Only an account with this address can accept it"
  }),
  role: Role.annotate({ description: "The role of the new member; not above that of the caller" })
})
