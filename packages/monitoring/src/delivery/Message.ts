/**
 * A message to deliver: a notice to one channel or contact method, with all inputs of delivery. Delivery knows its
 * senders only by the kind of their subjects.
 */
import { Notice } from "@kanmon/core/Notice"
import type { ChannelId, ContactMethodId, ProjectId } from "@kanmon/domain/Ids"
import { Schema } from "effect"
import * as Persisted from "@kanmon/platform/database/Persisted"

/** Events of alerts that were critical before rules had a severity. */
const urgent: ReadonlySet<unknown> = new Set([
  "monitor_down",
  "monitor_up",
  "ssl_expired",
  "ssl_invalid",
  "domain_expired"
])

/** Notices as the database stores them. Version 1 had no severity. */
export const storedNotice = Persisted.make(Notice, [
  { up: (notice) => ({ severity: urgent.has(notice["event"]) ? "critical" : "warning", ...notice }) }
])

/** The subject of a message. */
interface Subject {
  /** Names the sender, as `MessageSenders` has it. */
  readonly kind: string
  readonly id: string
}

/**
 * `open` says that something began, `repeat` that it lasts, `close` that it is over. A channel gets one opening of a topic, and a
 * closing stands for an opening that still waits.
 */
export const Purpose = Schema.Literals(["open", "repeat", "close"])
type Purpose = typeof Purpose.Type

/** The id of a channel or of a contact method. */
export type TargetId = ChannelId | ContactMethodId

/** To what a message goes: a channel of a project, or a contact method of a person. */
export type Target = { readonly channelId: ChannelId } | { readonly contactMethodId: ContactMethodId }

/** The id of a target, unique over both kinds. */
export const targetId = (to: Target): TargetId => ("channelId" in to ? to.channelId : to.contactMethodId)

/** Whether a message is a page, which wakes a person. A recovery is none: it waits for nothing, and nothing waits for it. */
export const isPage = ({ purpose, to }: Pick<Message, "purpose" | "to">): boolean =>
  "contactMethodId" in to && purpose !== "close"

/** One notice to one channel, or to one contact method. */
export interface Message {
  /** Also the id of the notice. */
  readonly id: string
  readonly about: Subject
  /** The record of its sender for what one target is told of a subject: messages of one entry follow each other. */
  readonly entryId: string
  /** Messages with the same topic, purpose and target are one message, whichever entries they belong to. */
  readonly topic: string
  readonly to: Target
  /** Null: a message to a contact method that is about no project. */
  readonly projectId: ProjectId | null
  readonly purpose: Purpose
  /** Minutes for which a repetition waits after the last message of its topic; 0: it does not. */
  readonly resendEvery: number
  readonly notice: Notice
  /** W3C trace context of what caused it; without one the delivery continues the current trace. */
  readonly trace?: string | undefined
}

/** A message by the records of its sender. */
export type MessageRef = Pick<Message, "about" | "entryId">
