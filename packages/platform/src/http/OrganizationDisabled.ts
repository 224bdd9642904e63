/** The refusal of everything in an organization that an administrator of the installation has disabled. */
import { Problem } from "@kanmon/protocol/Problem"

export const organizationDisabled = new Problem({
  code: "organization_disabled",
  detail: "This organization is disabled; ask the operator of this installation. Nothing of it is deleted"
})
