/** The addresses of proxies: `10.0.0.5`, `10.1.0.0/16` or `fd00::/64`, separated by commas. */
import { BlockList, isIP } from "node:net"
import { Schema, SchemaTransformation } from "effect"

const maxLength = 2000

/** One address or range. A range of all addresses would believe everybody. */
const rangeOf = (text: string): { readonly address: string; readonly prefix: number } | undefined => {
  const [address = "", length, ...rest] = text.trim().split("/")
  const bits = isIP(address) === 4 ? 32 : 128
  const prefix = length === undefined ? bits : /^\d{1,3}$/.test(length) ? Number(length) : 0
  return isIP(address) !== 0 && rest.length === 0 && prefix >= 1 && prefix <= bits ? { address, prefix } : undefined
}

const familyOf = (address: string): "ipv4" | "ipv6" => (isIP(address) === 4 ? "ipv4" : "ipv6")

export const TrustedProxies = Schema.String.check(
  Schema.makeFilter(
    (text) =>
      (text.length <= maxLength && text.split(",").every((part) => rangeOf(part) !== undefined)) ||
      "Expected IP addresses or ranges such as 10.0.0.5,fd00::/64, separated by commas"
  )
).pipe(
  Schema.decodeTo(
    Schema.instanceOf(BlockList),
    SchemaTransformation.transform({
      decode: (text: string) => {
        const list = new BlockList()
        for (const { address, prefix } of text.split(",").flatMap((part) => rangeOf(part) ?? []))
          list.addSubnet(address, prefix, familyOf(address))
        return list
      },
      encode: (list) => list.rules.join(",")
    })
  )
)

/** Whether a connection comes from one of them. IPv4 within IPv6 counts as IPv4. */
export const includes = (proxies: BlockList, peer: string): boolean =>
  isIP(peer) !== 0 && !peer.includes("%") && proxies.check(peer, familyOf(peer))
