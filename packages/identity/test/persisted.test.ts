/** JSON that earlier releases stored: every sample in `fixtures/persisted` stays readable. */
import * as path from "node:path"
import { shapeOf, suite } from "../../../tests/support/PersistedSamples.ts"
import { storedChange } from "../src/audit/AuditRepository.ts"
import { storedOffer } from "../src/billing/PlanRepository.ts"
import { persistedUser } from "../src/sso/ScimUserRepository.ts"

suite(path.join(import.meta.dirname, "fixtures/persisted"), {
  "audit-change": shapeOf(storedChange),
  "plan-offer": shapeOf(storedOffer),
  "scim-user": shapeOf(persistedUser)
})
