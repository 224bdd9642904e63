/** Operations of administrators on accounts and organizations of the installation. */
import { request } from "../../api/request.ts"
import { useWrite } from "../../api/write.ts"
import type { Kind } from "./people.ts"

const listOf = (kind: Kind) => [["installation", kind]]

interface Switch {
  readonly id: string
  readonly act: "disable" | "enable"
}

export const useSwitchAccount = () =>
  useWrite({
    send: ({ act, id }: Switch) => request(`POST /installation/accounts/:userId/${act}`, { params: { userId: id } }),
    stale: listOf("accounts")
  })

export const useSwitchOrganization = () =>
  useWrite({
    send: ({ act, id }: Switch) =>
      request(`POST /installation/organizations/:organizationId/${act}`, { params: { organizationId: id } }),
    stale: listOf("organizations")
  })

/** From the answer on this browser acts as somebody else. */
export const useImpersonate = () =>
  useWrite({
    send: (userId: string) => request("POST /installation/accounts/:userId/impersonate", { params: { userId } })
  })
