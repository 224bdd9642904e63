/** The time zone of a notice's reader: a paged person or a notified member, otherwise the project. */
import type { Recipient } from "@kanmon/core/Recipient"
import type { ProjectId } from "@kanmon/domain/Ids"
import { Effect } from "effect"
import type { LeasedTarget } from "./TargetLeases.ts"
import { ReaderZoneRepository } from "./ReaderZoneRepository.ts"

export const make = Effect.map(ReaderZoneRepository, (repository) =>
  /** Read for each attempt, so that a change counts for what is sent next. */
  Effect.fn("ReaderZones.of")((target: LeasedTarget, projectId: ProjectId | null, recipient: Recipient | undefined) =>
    target.kind === "contactMethod"
      ? repository.zoneOfPerson(projectId, target.userId)
      : repository.zoneOf(projectId, recipient?.address)
  )
)
