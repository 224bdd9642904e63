/** The time zone and the language of a notice's reader: a paged person or a notified member, otherwise the zone of the project. */
import type { Recipient } from "@kanmon/core/Recipient"
import type { ProjectId } from "@kanmon/domain/Ids"
import type { Locale } from "@kanmon/domain/Locale"
import { Effect } from "effect"
import type { LeasedTarget } from "./TargetLeases.ts"
import { ReaderZoneRepository } from "./ReaderZoneRepository.ts"

export interface Reader {
  readonly zone: string
  readonly language?: Locale
}

export const make = Effect.map(ReaderZoneRepository, (repository) =>
  /** Read for each attempt, so that a change counts for what is sent next. */
  Effect.fn("ReaderZones.of")((target: LeasedTarget, projectId: ProjectId | null, recipient: Recipient | undefined) =>
    target.kind === "contactMethod"
      ? repository.readerOf(projectId, target.userId)
      : Effect.map(repository.recipientOf(projectId, recipient?.address), ({ language, zone }): Reader =>
          language === undefined ? { zone } : { zone, language }
        )
  )
)
