/** Status pages as the API reads and shows them: with the DNS records that the owner of a custom domain has to create. */
import { AuthSettings } from "@kanmon/identity/accounts"
import type { StatusPage } from "@kanmon/domain/StatusPage"
import * as StatusPageBody from "@kanmon/protocol/StatusPageBody"
import { Effect } from "effect"
import { DomainProof, InstallationNames, refusal } from "../custom-domains/index.ts"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"

export const make = Effect.gen(function* () {
  const { host, ...names } = InstallationNames.names(yield* ApiSettings)
  const policy = { ...names, trusted: (yield* AuthSettings).signUp === "closed" }

  const refuse = (name: string): string | undefined =>
    name.length > DomainProof.longestDomain
      ? `Expected at most ${DomainProof.longestDomain} characters: the domain's TXT record has a longer name`
      : refusal(name, names)

  const decode = (body: unknown, current?: StatusPage) =>
    Effect.fromResult(StatusPageBody.decode(body, refuse, current))

  return {
    /** Decodes the body of a new page. */
    onCreate: (body: unknown) => decode(body),
    /** Decodes a change, to be run on the page under its lock. */
    onUpdate: (body: object) => (current: StatusPage) => decode(StatusPageBody.merge(current, body), current),
    /** A page as it is shown. */
    record: (page: StatusPage): StatusPageBody.StatusPageRecord => ({
      ...page,
      customDomainRecords:
        page.customDomain === null || host === undefined
          ? []
          : DomainProof.recordsOf(page.customDomain, page.projectId, host, policy)
    })
  }
})
