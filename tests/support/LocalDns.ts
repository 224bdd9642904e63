/** The name server of products in tests: it knows `localhost` alone, so no name leads out of this machine. */
import * as DnsTarget from "@kanmon/testkit/DnsTarget"
import { Effect, type Scope } from "effect"

/** Answers for `localhost`; other names do not exist. */
export const zone = (name: string, type: string): DnsTarget.Reply => {
  if (name !== "localhost") return "nxdomain"
  return type === "A" ? [{ type: "A", name, data: "127.0.0.1" }] : []
}

/** Starts one; returns its address, as `KANMON_DNS_RESOLVER` takes it. */
export const make: Effect.Effect<string, never, Scope.Scope> = Effect.map(DnsTarget.dns(zone), ({ server }) => server)
