import type { ProjectId } from "@kanmon/domain/Ids"
import * as AuthContract from "@kanmon/testkit/AuthContract"
import plugin from "../src/index.ts"

AuthContract.suite(plugin.auths[0]!, {
  request: { method: "GET", url: "/", peer: "192.0.2.1", headers: { "x-api-key": `km_${"a1B".repeat(14)}z` } },
  caller: { _tag: "ProjectKey", projectId: "prj_01ARZ3NDEKTSV4RRFFQ69G5FAV" as ProjectId }
})
