/** The conversion of a record: the fields of an entry, and the losses. */
import type { Draft } from "../Secret.ts"

/** What is said of a record that watches or tells less than before, or that waits for somebody: it has to be looked at. */
class Look {
  readonly words: string

  constructor(words: string) {
    this.words = words
  }
}

/** One clause about a record. */
export type Said = string | Look

export const look = (words: string): Look => new Look(words)

const isLook = (said: Said): said is Look => said instanceof Look

/** Clauses as a note. */
export const noteOf = (about: string, leftOut: boolean, said: ReadonlyArray<Said>): Note => ({
  about,
  leftOut,
  review: !leftOut && said.some(isLook),
  notes: said.map((one) => (isLook(one) ? one.words : one))
})

export interface Converted {
  /** None when it cannot be carried over; several when one of theirs is several of ours. */
  readonly drafts: ReadonlyArray<Draft>
  /** Losses and changes, or the reason for an omission; one clause each, which `written` makes a sentence. */
  readonly notes: ReadonlyArray<Said>
}

/** A note about a record. */
export interface Note {
  /** Its kind and name, such as `Monitor Shop`. */
  readonly about: string
  readonly leftOut: boolean
  /** It is carried over, but watches or tells less than before, or waits for somebody. */
  readonly review: boolean
  readonly notes: ReadonlyArray<string>
}

/** A note as sentences, which begin with a capital letter and end with a full stop. */
export const written = ({ about, notes, ...rest }: Note): Note => ({
  ...rest,
  about: capital(about),
  notes: notes.map((note) => capital(/[.!?]$/.test(note) ? note : `${note}.`))
})

const capital = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1)

/** It stays behind. */
export const leftOut = (...notes: ReadonlyArray<Said>): Converted => ({ drafts: [], notes })

/** The beginning of a text, never with half a character at its end. */
export const cut = (text: string, most: number): string => text.slice(0, most).toWellFormed()

/** The beginning of a text that has at most so many bytes as UTF-8. */
export const cutBytes = (text: string, most: number): string => {
  const bytes = Buffer.from(text.toWellFormed())
  // A character that does not fit is left out whole.
  return bytes.length <= most ? text : new TextDecoder().decode(bytes.subarray(0, most)).replace(/\uFFFD$/, "")
}
