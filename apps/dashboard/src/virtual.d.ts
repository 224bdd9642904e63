declare module "virtual:tokens.css"
declare module "virtual:messages/*" {
  import type { Messages } from "@lingui/core"
  const messages: Messages
  export default messages
}
declare module "virtual:roles" {
  import type * as Domain from "@kanmon/domain/Role"
  export const roles: ReadonlyArray<Domain.Role>
  export const minimumRole: typeof Domain.minimumRole
  export const minimumOrganizationRole: typeof Domain.minimumOrganizationRole
}
declare module "virtual:reasons/*" {
  import type { ReasonCatalogue } from "@kanmon/domain/ReasonText"
  const catalogue: ReasonCatalogue
  export default catalogue
}
