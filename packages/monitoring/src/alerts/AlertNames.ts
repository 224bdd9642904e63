/** What the audit log calls an alert: its monitor, or the title that its sender gave it. */
import type { Alert } from "@kanmon/domain/Alert"
import { Effect } from "effect"
import { RegistryRepository } from "../registry/index.ts"

export const make = Effect.map(
  RegistryRepository,
  (registry) =>
    ({
      drillId,
      id,
      monitorId,
      source
    }: Pick<Alert, "drillId" | "id" | "monitorId" | "source">): Effect.Effect<string> =>
      monitorId === null
        ? Effect.succeed(source?.title ?? drillId ?? id)
        : Effect.map(registry.namesOf([monitorId]), (names) => names.get(monitorId) ?? monitorId)
)
