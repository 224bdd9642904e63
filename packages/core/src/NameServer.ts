/** The address of a name server in settings and monitors: `ip`, `ip:port` or `[v6]:port`. Never a name. */
import { isIP, isIPv6 } from "node:net"
import { filteredText } from "@kanmon/domain/BoundedText"

export interface NameServerAddress {
  readonly address: string
  readonly port: number
}

const notAnAddress = "Expected ip or ip:port, and [v6]:port for IPv6"

const standardPort = 53

/** Parses the text; undefined when it is not a valid address. */
export const parse = (text: string): NameServerAddress | undefined => {
  if (isIP(text) !== 0) return text.includes("%") ? undefined : { address: text, port: standardPort }
  const match = /^(?:\[(?<v6>[0-9a-f:.]+)\]|(?<v4>[0-9.]+))(?::(?<port>[0-9]{1,5}))?$/i.exec(text)
  const { port: portText, v4, v6 } = match?.groups ?? {}
  const address = v6 ?? v4
  const port = portText === undefined ? standardPort : Number(portText)
  if (address === undefined || port < 1 || port > 65_535) return undefined
  return (v6 === undefined ? isIP(address) === 4 : isIPv6(address)) ? { address, port } : undefined
}

export const NameServer = filteredText(60, (text) => (parse(text) === undefined ? notAnAddress : undefined), {
  message: notAnAddress,
  toJsonSchema: () => ({ maxLength: 60 })
})
