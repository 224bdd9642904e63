/** Whether providers on the internet can reach an address of this installation. Pure: a name is judged by its form, not looked up. */
import { isIP } from "node:net"
import { refusal } from "./NetworkPolicy.ts"

/** Names of hosts that are known in private networks alone. */
const privateName = /(?:^|\.)(?:localhost|local|internal|home\.arpa|corp|home|lan|intranet|private|localdomain)\.?$/i

/** A URL whose host is on the public internet, as far as its form says. */
export const isPublicAddress = (url: string): boolean => {
  const parsed = URL.parse(url)
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return false
  const host = parsed.hostname.replace(/^\[|\]$/g, "")
  if (isIP(host) !== 0) return refusal(host, 0, { allowPrivate: false }) === null
  return host.includes(".") && !privateName.test(host)
}
