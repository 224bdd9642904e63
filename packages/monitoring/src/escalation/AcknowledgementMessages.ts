/**
 * Messages that somebody has an alert, to the others who were paged for it. They are no pages: no one answers them, nothing rings, and
 * nothing waits for them. Alerts that are acknowledged together are one message.
 */
import { reasonIn } from "@kanmon/core/NoticeReasons"
import * as NoticeText from "@kanmon/core/NoticeText"
import { say, sentence, sentences } from "@kanmon/core/NoticeWords"
import { actorInWords } from "@kanmon/domain/AlertHandling"
import { ContactMethodId } from "@kanmon/domain/Ids"
import { type EpochMillis, toIso } from "@kanmon/domain/Timestamp"
import { Effect } from "effect"
import type { Responder } from "../alerts/index.ts"
import type { Message, MessageSender } from "../delivery/index.ts"
import type { EscalatingAlert } from "./EscalationRecords.ts"
import type { NewPage } from "./EscalationRepository.ts"

/** The kind of subject that acknowledgements are. */
export const acknowledgementKind = "acknowledgement"

const nameOf = ({ actor, userId }: Responder): string =>
  userId === null ? actorInWords(actor) : (actor.name ?? actorInWords(actor))

/** The messages about an acknowledgement: one to each method of others that a page reached. */
export const acknowledgementsOf = (
  alertId: string,
  { notice, projectId }: Pick<EscalatingAlert, "notice" | "projectId">,
  reached: ReadonlyArray<NewPage>,
  by: Responder,
  at: EpochMillis
): ReadonlyArray<Omit<Message, "id">> =>
  reached.flatMap(({ id, page }) => {
    if (page._tag === "Channel" || page.userId === by.userId) return []
    const { explanation: _, ...told } = notice
    const reason = `${NoticeText.truncate(NoticeText.oneLine(nameOf(by)), 80)} has it`
    return {
      about: { kind: acknowledgementKind, id: alertId },
      entryId: `${id} ${toIso(at)}`,
      // The same for all alerts of one act, whichever they are.
      topic: `acknowledged ${by.userId ?? by.actor.kind} ${toIso(at)}`,
      to: { contactMethodId: ContactMethodId.make(page.methodId) },
      projectId,
      purpose: "close",
      resendEvery: 0,
      notice: { ...told, at, reason }
    }
  })

/** Acknowledgements as a sender of messages: their outcomes change nothing. */
export const sender: MessageSender = {
  ended: () => Effect.void,
  delayed: () => Effect.void,
  held: () => Effect.void,
  ignoresQuietHours: true,
  answerPath: () => undefined,
  wordsOf: (notice, others) => {
    const { id, language } = notice
    const reason = reasonIn(language, notice.reason)
    const withOthers = (first: string) =>
      others === 0 ? first : say(language, "{first} and {count} more", { first, count: others })
    const said = sentence(language, `${reason}: ${withOthers(NoticeText.headline(notice))}`)
    return {
      id,
      subject: `${reason}: ${withOthers(NoticeText.name(notice))}`,
      text: sentences(language, [said, say(language, "You need not answer.")]),
      ...(language === undefined ? {} : { language })
    }
  }
}
