/** The names of this installation, from its settings. */
import { isIP } from "node:net"
import type { CustomDomainSettings } from "./CustomDomainWorker.ts"

/** Whether DNS records can lead to the name. */
const isPublicName = (name: string): boolean =>
  name.includes(".") && isIP(name) === 0 && !/[[:]|\.(localhost|local)$/.test(name)

/** The reserved names, and the host that custom domains have to lead to. */
export const names = (settings: {
  readonly baseUrl: string
  readonly pagesDomain?: string | undefined
  readonly pagesHost?: string | undefined
  readonly reservedDomains?: ReadonlyArray<string>
}): Pick<CustomDomainSettings, "host" | "pagesDomain" | "reserved"> => {
  const { baseUrl, pagesDomain, pagesHost, reservedDomains = [] } = settings
  const own = new URL(baseUrl).hostname.replace(/\.$/, "")
  const host = pagesHost ?? (isPublicName(own) ? own : undefined)
  return { host, pagesDomain, reserved: [...new Set([own, ...(host === undefined ? [] : [host]), ...reservedDomains])] }
}
