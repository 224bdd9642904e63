/** The permissions for overrides, and the request of the form. Pure. */

/** An override as it is typed: times of the reader's clock, `2026-11-20T09:00`. */
export interface Draft {
  readonly from: string
  readonly to: string
  /** Null: no one. */
  readonly userId: string | null
  /** The person with the replaced shifts; null: all. */
  readonly replaces: string | null
}

/** A time as a field for local times has it. */
export const localText = (at: number): string => {
  const date = new Date(at)
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** The instant of a field for local times; undefined while it is incomplete. */
const instantOf = (text: string): string | undefined => {
  const at = new Date(text).getTime()
  return text === "" || !Number.isFinite(at) ? undefined : new Date(at).toISOString()
}

/**
 * Without the role for others' shifts, people can take shifts themselves, or give away only their own: an override for
 * somebody else replaces the visitor alone.
 */
export const replacedBy = (
  { replaces, userId }: Pick<Draft, "replaces" | "userId">,
  ownId: string | undefined,
  mayEdit: boolean
): string | null => (mayEdit || userId === ownId ? (replaces === userId ? null : replaces) : (ownId ?? null))

/** The body of the request; undefined while a time is incomplete. */
export const bodyOf = (draft: Draft, ownId: string | undefined, mayEdit: boolean) => {
  const [from, to] = [instantOf(draft.from), instantOf(draft.to)]
  if (from === undefined || to === undefined) return undefined
  const replaces = replacedBy(draft, ownId, mayEdit)
  return { from, to, userId: draft.userId, ...(replaces === null ? {} : { replaces }) }
}
