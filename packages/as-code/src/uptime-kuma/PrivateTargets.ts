/** Targets that an installation refuses by default, as far as the file shows: addresses, not names. Pure. */
import { isIP } from "node:net"
import { refusal } from "@kanmon/core/NetworkPolicy"
import { type Draft, Secret } from "../Secret.ts"
import { look, type Said } from "./Draft.ts"

/** Notes about a monitor with a private address as its target or name server. */
export const refusedNotes = (draft: Draft): ReadonlyArray<Said> =>
  [...new Set(hostsOf(draft))].flatMap((host) => {
    const why = refusal(addressOf(host), 0, { allowPrivate: false })
    // The server itself names every other reason.
    return why === null || why.remedy === ""
      ? []
      : [
          look(
            `it connects to ${host}, which ${why.why}; its checks are refused, unless the operator allows such targets with KANMON_ALLOW_PRIVATE_TARGETS=true`
          )
        ]
  })

/** Only this name is known to be an address of the machine itself. */
const addressOf = (host: string): string =>
  /^(?:[\w-]+\.)*localhost\.?$/i.test(host.slice(0, 255)) ? "127.0.0.1" : host

const hostsOf = ({ host, hostname, resolver, url }: Draft): ReadonlyArray<string> => {
  const address = url instanceof Secret ? url.value : url
  const ofUrl = typeof address === "string" ? URL.parse(address)?.hostname.replace(/^\[(.*)\]$/, "$1") : undefined
  const ofServer = typeof resolver === "string" ? URL.parse(`dns://${bracketed(resolver)}`)?.hostname : undefined
  // The name that a dns monitor asks about is no target.
  const target = hostname === undefined ? host : undefined
  return [target, ofUrl, ofServer?.replace(/^\[(.*)\]$/, "$1")].filter(
    (one) => typeof one === "string" && one !== ""
  ) as ReadonlyArray<string>
}

/** A name server may be an IPv6 address without brackets. */
const bracketed = (server: string): string => (isIP(server) === 6 ? `[${server}]` : server)
