/** Maps error codes of Node, c-ares and `getaddrinfo` to lookup failures. */
import { type Reason, reason as why } from "@kanmon/domain/Reason"
import { ResolveFailed } from "../Resolver.ts"

export const failed = (hostname: string, what: string, cause: unknown): ResolveFailed => {
  const code = (cause as NodeJS.ErrnoException | undefined)?.code ?? ""
  const [reason, words] = meaning(code, hostname, what)
  return new ResolveFailed({ reason, ...words })
}

const meaning = (code: string, host: string, type: string): readonly [ResolveFailed["reason"], Reason] => {
  switch (code) {
    case "ENOTFOUND":
      return ["dns_nxdomain", why("name_unknown", { host })]
    case "ENODATA":
    case "EAI_NODATA":
      return ["dns_no_records", why("no_record", { host, type })]
    case "ESERVFAIL":
      return ["dns_servfail", why("name_servers_failed", { host })]
    case "EAI_AGAIN":
      return ["dns_servfail", why("name_not_resolved", { host })]
    case "EREFUSED":
      return ["dns_refused", why("name_server_refused", { host })]
    case "ECONNREFUSED":
      return ["dns_refused", why("name_server_closed", {})]
    case "ETIMEOUT":
      return ["dns_timeout", why("name_servers_silent", { host })]
    case "EBADNAME":
    case "EBADQUERY":
      return ["dns_nxdomain", why("name_invalid", { host })]
    default:
      return [
        "dns_failed",
        code === "" ? why("lookup_failed_unexplained", { host }) : why("lookup_failed", { host, cause: code })
      ]
  }
}
