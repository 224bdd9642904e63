/** What a file keeps: monitors, channels, alert rules and status pages, each under a key, in one form on both sides. */
import type { Schema } from "effect"

export type Kind = "channel" | "monitor" | "rule" | "page"

/** What others refer to stands before those others. */
export const kinds: ReadonlyArray<Kind> = ["channel", "monitor", "rule", "page"]

/** The parts of a file. */
export const sections = { monitors: "monitor", channels: "channel", rules: "rule", pages: "page" } as const
export type Section = keyof typeof sections

/**
 * Fields as they are compared: those of a channel's configuration as `config.chatId`. Other resources are named by their
 * keys; in what the server has, by their ids where they have no key.
 */
export type Fields = Readonly<Record<string, Schema.Json>>

/** A resource as a file wants it: complete, with every default filled in. */
export interface Wanted {
  readonly kind: Kind
  readonly key: string
  readonly fields: Fields
  /** Fields that reads do not show: the server says whether they differ. */
  readonly masked: ReadonlySet<string>
  /** Fields whose values are not printed, the masked ones among them. */
  readonly secret: ReadonlySet<string>
  /** Fields that hold an address, of which what may be secret is not printed: user, password and query. */
  readonly addresses: ReadonlySet<string>
  /** Fields that cannot be taken away again, because null is one of their values. */
  readonly lasting: ReadonlySet<string>
}

/** A resource as the server has it. */
export interface Current {
  readonly kind: Kind
  readonly key: string
  readonly id: string
  readonly fields: Fields
  /** Fields whose values differ from the wanted ones, by the server's word; it is asked about masked ones alone. */
  readonly differing: ReadonlySet<string>
  /** Fields that somebody else decides for now: a monitor that its plan has paused is not resumed from here. */
  readonly overruled: ReadonlySet<string>
}

/** How a resource is called in sentences. */
export const nameOf = ({ key, kind }: { readonly kind: Kind; readonly key: string }): string => `${kind} ${key}`
